// One game: it depends on its seed alone, and ends as its settings say.
#include "selfplay/games/game_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

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
    settings.nodes.soft_nodes = 60;
    settings.openings.check_nodes = 60;
    settings.max_plies = 120;
    return settings;
  }
  std::optional<PlayedGame> play(const GameSettings& settings, std::uint64_t seed) {
    return play_game<R>(searcher_, settings, seed, never_, live_);
  }

  Searcher<R> searcher_{one_mib()};
  std::atomic<bool> never_ = false;
  LiveRejects live_;
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
  EXPECT_EQ(play_game<TypeParam>(fresh, this->quick(), 2, this->never_, this->live_)->record, second->record);
  EXPECT_EQ(this->play(this->quick(), 1)->record, first->record);
  EXPECT_NE(first->record.moves, second->record.moves);
}

TYPED_TEST(SelfplayGame, EndsEarlyWhenStopped) {
  const std::atomic<bool> at_once = true;
  EXPECT_FALSE(play_game<TypeParam>(this->searcher_, this->quick(), 1, at_once, this->live_));
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
  LiveRejects live;
  GameSettings settings;
  settings.nodes.soft_nodes = 100;
  settings.openings.check_nodes = 100;
  int called = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    settings.adjudication.played_out_share = 0;
    const GameRecord short_game = play_game<Crazyhouse>(searcher, settings, seed, never, live)->record;
    settings.adjudication.played_out_share = 1;
    const GameRecord long_game = play_game<Crazyhouse>(searcher, settings, seed, never, live)->record;
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
  LiveRejects live;
  GameSettings settings;
  settings.nodes.soft_nodes = 30;
  settings.max_plies = 20;
  const GameRecord game = play_game<StandardRules>(searcher, settings, 5, never, live)->record;
  EXPECT_EQ(game.moves.size(), 20u);
  EXPECT_EQ(game.termination, Termination::PlyLimit);
  EXPECT_EQ(game.result_white, 0);
}

TYPED_TEST(SelfplayGame, ThatExploresMarksTheMovesThatWereNotTheFirstChoice) {
  GameSettings settings = this->quick();
  settings.exploration.share = 0.5;
  settings.exploration.last_ply = 60;
  std::size_t marked = 0, plies = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto played = this->play(settings, seed);
    const GameRecord& game = played->record;
    EXPECT_EQ(find_fault<TypeParam>(game), std::nullopt) << describe_game<TypeParam>(game);
    EXPECT_EQ(this->play(settings, seed)->record, game);
    for (const std::uint16_t ply : game.exploratory_plies) EXPECT_LT(ply, 60);
    marked += game.exploratory_plies.size();
    plies += std::min<std::size_t>(game.moves.size(), 60);
  }
  EXPECT_GT(marked, plies / 20);
  EXPECT_LT(marked, plies / 2);
}

TYPED_TEST(SelfplayGame, FromABookBeginsWithOneOfItsOpenings) {
  GameSettings settings = this->quick();
  auto book = std::make_shared<std::vector<Opening>>();
  for (std::uint64_t seed = 100; seed < 103; ++seed)
    book->push_back(make_opening<TypeParam>(this->searcher_, settings.openings, seed));
  settings.openings.book = book;
  settings.openings.random_plies = 0;
  std::array<int, 3> drawn{};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const GameRecord game = this->play(settings, seed)->record;
    const auto is_prefix = [&](const Opening& opening) {
      return opening.moves.size() == game.random_plies &&
             std::equal(opening.moves.begin(), opening.moves.end(), game.moves.begin());
    };
    const auto found = std::find_if(book->begin(), book->end(), is_prefix);
    ASSERT_NE(found, book->end());
    ++drawn[static_cast<std::size_t>(found - book->begin())];
    EXPECT_EQ(find_fault<TypeParam>(game), std::nullopt);
  }
  EXPECT_GT(*std::min_element(drawn.begin(), drawn.end()), 0);

  settings.openings.random_plies = 3;
  const GameRecord longer = this->play(settings, 1)->record;
  EXPECT_GE(longer.random_plies, 11);
  EXPECT_EQ(find_fault<TypeParam>(longer), std::nullopt);
}

}  // namespace
}  // namespace farrier
