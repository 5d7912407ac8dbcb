// One game: it depends on its seed alone, and ends as its settings say.
#include "selfplay/games/game_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/chess/movegen.h"
#include "engine/variants/dispatch.h"
#include "selfplay/data/replay.h"

namespace farrier {
namespace {

SearcherOptions one_mib() {
  SearcherOptions options;
  options.hash_mib = 1;
  return options;
}

template <class R>
class SelfplayGame : public testing::Test {
 protected:
  static GameSettings quick() {
    GameSettings settings;
    settings.soft_nodes = 60;
    settings.openings.check_nodes = 60;
    settings.max_plies = 120;
    return settings;
  }
  std::optional<PlayedGame> play(const GameSettings& settings, std::uint64_t seed) {
    return play_game<R>(searcher_, settings, seed, never_);
  }

  Searcher<R> searcher_{one_mib()};
  std::atomic<bool> never_ = false;
};
using AllRules = testing::Types<StandardRules, Crazyhouse, Knightmate, PocketKnight>;
TYPED_TEST_SUITE(SelfplayGame, AllRules);

TYPED_TEST(SelfplayGame, FollowsTheRules) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto played = this->play(this->quick(), seed);
    ASSERT_TRUE(played);
    EXPECT_EQ(find_fault<TypeParam>(played->record), std::nullopt)
        << describe_game<TypeParam>(played->record);
    EXPECT_EQ(played->record.game_seed, seed);
    EXPECT_LE(played->record.moves.size(), 120u);
  }
}

TYPED_TEST(SelfplayGame, DependsOnItsSeedAndNotOnTheGamesBefore) {
  const auto first = this->play(this->quick(), 1);
  const auto second = this->play(this->quick(), 2);
  Searcher<TypeParam> fresh{one_mib()};
  EXPECT_EQ(play_game<TypeParam>(fresh, this->quick(), 2, this->never_)->record, second->record);
  EXPECT_EQ(this->play(this->quick(), 1)->record, first->record);
  EXPECT_NE(first->record.moves, second->record.moves);
}

TYPED_TEST(SelfplayGame, EndsEarlyWhenStopped) {
  const std::atomic<bool> at_once = true;
  EXPECT_FALSE(play_game<TypeParam>(this->searcher_, this->quick(), 1, at_once));
}

TYPED_TEST(SelfplayGame, OpeningIsRandomLegalUnfinishedAndLevel) {
  OpeningSettings settings;
  settings.check_nodes = 200;
  settings.max_score_cp = 150;
  SearchLimits limits;
  limits.soft_nodes = settings.check_nodes;
  int nine_plies = 0;
  std::uint64_t lopsided = 0;
  std::vector<std::vector<Move>> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Opening opening = make_opening<TypeParam>(this->searcher_, settings, seed);
    EXPECT_EQ(opening.start, start_board<TypeParam>());
    ASSERT_TRUE(opening.moves.size() == 8 || opening.moves.size() == 9);
    nine_plies += opening.moves.size() == 9;
    lopsided += opening.rejects.lopsided;
    Game<TypeParam> game(opening.start);
    for (Move move : opening.moves) {
      ASSERT_TRUE(is_legal<TypeParam>(game.board(), move));
      game.play(move);
    }
    EXPECT_FALSE(game.outcome());
    EXPECT_EQ(make_opening<TypeParam>(this->searcher_, settings, seed).moves, opening.moves);
    seen.push_back(opening.moves);
  }
  EXPECT_GT(nine_plies, 8);
  EXPECT_LT(nine_plies, 32);
  EXPECT_GT(lopsided, 0u) << "the limit threw nothing away";
  std::sort(seen.begin(), seen.end(), [](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](Move x, Move y) { return x.bits() < y.bits(); });
  });
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << "two seeds gave one opening";
}

TEST(SelfplayGameOfCrazyhouse, IsCalledWhenDecidedUnlessPlayedOut) {
  Searcher<Crazyhouse> searcher(one_mib());
  const std::atomic<bool> never = false;
  GameSettings settings;
  settings.soft_nodes = 100;
  settings.openings.check_nodes = 100;
  int called = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    settings.adjudication.played_out_share = 0;
    const GameRecord short_game = play_game<Crazyhouse>(searcher, settings, seed, never)->record;
    settings.adjudication.played_out_share = 1;
    const GameRecord long_game = play_game<Crazyhouse>(searcher, settings, seed, never)->record;
    EXPECT_NE(long_game.termination, Termination::AdjudicatedWin);
    if (short_game.termination != Termination::AdjudicatedWin) {
      EXPECT_EQ(short_game, long_game);
      continue;
    }
    ++called;
    ASSERT_GE(long_game.moves.size(), short_game.moves.size());
    EXPECT_TRUE(std::equal(short_game.moves.begin(), short_game.moves.end(), long_game.moves.begin()));
    for (std::size_t back = 1; back <= 6; ++back)
      EXPECT_GE(std::abs(short_game.scores_cp_stm[short_game.moves.size() - back]), 1000);
  }
  EXPECT_GT(called, 2);
}

TEST(SelfplayGameOfChess, IsADrawAtThePlyLimit) {
  Searcher<StandardRules> searcher(one_mib());
  const std::atomic<bool> never = false;
  GameSettings settings;
  settings.soft_nodes = 30;
  settings.max_plies = 20;
  const GameRecord game = play_game<StandardRules>(searcher, settings, 5, never)->record;
  EXPECT_EQ(game.moves.size(), 20u);
  EXPECT_EQ(game.termination, Termination::PlyLimit);
  EXPECT_EQ(game.result_white, 0);
}

}  // namespace
}  // namespace farrier
