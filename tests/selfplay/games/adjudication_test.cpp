// Games are called only when both sides' scores have agreed for long enough.
#include "selfplay/games/adjudication.h"

#include <gtest/gtest.h>

#include "engine/base/rng.h"

namespace farrier {
namespace {

/// Feeds scores from white's view, white moving first, and tells the call and the ply of it.
std::optional<std::pair<int, Outcome>> call_of(const AdjudicationSettings& settings,
                                               const std::vector<Score>& scores_cp_white) {
  Adjudicator adjudicator(settings);
  for (std::size_t ply = 0; ply < scores_cp_white.size(); ++ply) {
    const Color mover = ply % 2 == 0 ? Color::White : Color::Black;
    const Score score_cp_stm = mover == Color::White ? scores_cp_white[ply] : -scores_cp_white[ply];
    if (const auto outcome = adjudicator.observe(mover, score_cp_stm, static_cast<int>(ply)))
      return std::pair(static_cast<int>(ply), *outcome);
  }
  return std::nullopt;
}

TEST(Adjudication, CallsAWinAfterSixPliesBeyondTheScore) {
  const auto white = call_of({}, {0, 1000, 1200, 1000, 3000, kMateScore - 5, 1000, 1000});
  ASSERT_TRUE(white);
  EXPECT_EQ(white->first, 6);
  EXPECT_EQ(white->second.termination, Termination::AdjudicatedWin);
  EXPECT_EQ(white->second.result_white, 1);
  const auto black = call_of({}, {-1000, -1000, -1000, -1000, -1000, -1000});
  ASSERT_TRUE(black);
  EXPECT_EQ(black->first, 5);
  EXPECT_EQ(black->second.result_white, -1);
}

TEST(Adjudication, StartsAgainWhenTheScoreDropsOrTurns) {
  EXPECT_FALSE(call_of({}, {1000, 1000, 1000, 1000, 1000, 999, 1000, 1000, 1000, 1000, 1000}));
  // Each side believes itself to win: the scores do not agree.
  EXPECT_FALSE(call_of({}, {1000, -1000, 1000, -1000, 1000, -1000, 1000, -1000, 1000, -1000}));
}

TEST(Adjudication, CallsNoDrawUnlessAsked) {
  EXPECT_FALSE(call_of({}, std::vector<Score>(500, 0)));
  AdjudicationSettings settings;
  settings.draw_plies = 8;
  settings.draw_from_ply = 40;
  const auto call = call_of(settings, std::vector<Score>(500, 10));
  ASSERT_TRUE(call);
  EXPECT_EQ(call->first, 47);
  EXPECT_EQ(call->second.termination, Termination::AdjudicatedDraw);
  EXPECT_FALSE(call_of(settings, std::vector<Score>(500, 11)));
}

TEST(Adjudication, PlaysOutTheShareOfGamesThatWasAskedFor) {
  AdjudicationSettings settings;
  int played_out = 0;
  for (std::uint64_t game = 0; game < 10000; ++game)
    played_out += is_played_out(settings, derive_seed(1, 0, game));
  EXPECT_NEAR(played_out, 1000, 100);
  settings.played_out_share = 0;
  EXPECT_FALSE(is_played_out(settings, 7));
  settings.played_out_share = 1;
  EXPECT_TRUE(is_played_out(settings, 7));
}

}  // namespace
}  // namespace farrier
