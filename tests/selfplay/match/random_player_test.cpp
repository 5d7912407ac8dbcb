// The random mover: legal moves only, the same ones under the same seed, and no match for anyone who searches.
#include <gtest/gtest.h>

#include "selfplay/match/journal.h"
#include "selfplay/match/player_text.h"
#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

class RandomMover : public MatchTest {
 protected:
  MatchSettings match_of(const std::string& a, const std::string& b, Variant variant) const {
    CommonPlayerSettings common;
    common.spec.hard_nodes = 60;
    common.spec.hash_mib = 1;
    MatchSettings settings;
    settings.variant = variant;
    settings.a = parse_player(a, common);
    settings.b = parse_player(b, common);
    settings.adjudication.max_plies = 200;
    settings.games = 6;
    settings.workers = 2;
    settings.openings.check_nodes = 100;
    return settings;
  }
};

TEST_F(RandomMover, PlaysLegalMovesAndTheSameOnesUnderASeed) {
  for (const Variant variant : kAllVariants) {
    SCOPED_TRACE(variant_name(variant));
    MatchSettings settings = match_of("random", "random name=other", variant);
    const MatchResult first = run_match(settings);
    EXPECT_EQ(first.games.games(), 6);
    EXPECT_FALSE(first.has_faults());
    settings.workers = 1;
    settings.journal = folder_ / (std::string(variant_name(variant)) + ".jsonl");
    EXPECT_EQ(run_match(settings), first);
    // The sides of a match have random numbers of their own: colours swapped, the game is not played again.
    const std::vector<MatchPair> pairs = MatchJournal(settings).pairs();
    EXPECT_NE(pairs[0].games[0].moves, pairs[0].games[1].moves);
    EXPECT_NE(pairs[0].games[0].moves.substr(0, 60), pairs[1].games[0].moves.substr(0, 60));
  }
}

TEST_F(RandomMover, LosesToMaterial) {
  const MatchResult result = run_match(match_of("random", "material", Variant::Crazyhouse));
  EXPECT_EQ(result.games.wins, 0);
  EXPECT_GE(result.games.losses, 4);
  EXPECT_EQ(result.nodes[0], 0u);
}

}  // namespace
}  // namespace farrier
