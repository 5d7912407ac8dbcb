// Pairs are counted in the order of their index, and the sequential test sees nothing else.
#include "selfplay/match/tally.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

std::vector<std::int64_t> shuffled_indices(std::int64_t count, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  Rng rng(seed);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
  return order;
}

TEST(MatchTally, CountsNothingBeyondAMissingPair) {
  MatchTally tally(10, std::nullopt);
  tally.add(made_up_pair(1, 1));
  tally.add(made_up_pair(1, 3));
  EXPECT_EQ(tally.result().pairs.count(), 0);
  tally.add(made_up_pair(1, 0));
  EXPECT_EQ(tally.result().pairs.count(), 2);
  tally.add(made_up_pair(1, 2));
  EXPECT_EQ(tally.result().pairs.count(), 4);
  EXPECT_EQ(tally.result().games.games(), 8);
  EXPECT_FALSE(tally.decided());
}

TEST(MatchTally, TheResultDoesNotDependOnTheOrderOfArrival) {
  const SprtSettings sprt{.elo0 = 0, .elo1 = 60};
  MatchTally in_order(2000, sprt);
  for (std::int64_t i = 0; i < 2000; ++i) in_order.add(made_up_pair(5, i));
  ASSERT_EQ(in_order.result().end, MatchEnd::AcceptedH1);
  ASSERT_LT(in_order.result().pairs.count(), 1000);

  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    MatchTally shuffled(2000, sprt);
    for (std::int64_t i : shuffled_indices(2000, seed)) shuffled.add(made_up_pair(5, i));
    EXPECT_EQ(shuffled.result(), in_order.result());
  }
}

TEST(MatchTally, TheTestEndsAtTheFirstPairThatReachesABound) {
  const SprtSettings sprt{.elo0 = 0, .elo1 = 60};
  MatchTally tally(2000, sprt);
  Pentanomial pairs;
  std::int64_t index = 0;
  for (; sprt_verdict(pairs.cells(), sprt) == SprtVerdict::Continue; ++index) {
    EXPECT_FALSE(tally.decided());
    const MatchPair pair = made_up_pair(5, index);
    pairs.add(pair.games[0].result_a, pair.games[1].result_a);
    tally.add(pair);
  }
  EXPECT_TRUE(tally.decided());
  tally.add(made_up_pair(5, index));
  EXPECT_EQ(tally.result().pairs, pairs);
  EXPECT_EQ(tally.result().llr, log_likelihood_ratio(pairs.cells(), sprt));
}

TEST(MatchTally, AddsUpGamesColoursEndsAndNodes) {
  MatchPair pair = made_up_pair(1, 0);
  pair.games[0] = {.result_a = 1,
                   .termination = Termination::Checkmate,
                   .moves = "",
                   .searches = {3, 2},
                   .nodes = {30, 40}};
  pair.games[1] = {.result_a = 1,
                   .termination = Termination::AdjudicatedWin,
                   .moves = "",
                   .searches = {5, 6},
                   .nodes = {7, 8}};
  MatchTally tally(1, std::nullopt);
  tally.add(pair);
  const MatchResult& result = tally.result();
  EXPECT_EQ(result.end, MatchEnd::AllPlayed);
  EXPECT_EQ(result.pairs, (Pentanomial{{0, 0, 0, 0, 1}}));
  EXPECT_EQ(result.games, (GameCounts{.wins = 2, .draws = 0, .losses = 0}));
  EXPECT_EQ(result.games_white, (GameCounts{.wins = 1, .draws = 0, .losses = 1}));
  EXPECT_EQ(result.terminations, (std::array<std::int64_t, kTerminationCount>{1, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(result.searches, (std::array<std::int64_t, 2>{8, 8}));
  EXPECT_EQ(result.nodes, (std::array<std::uint64_t, 2>{37, 48}));
  EXPECT_FALSE(result.llr);
}

}  // namespace
}  // namespace farrier
