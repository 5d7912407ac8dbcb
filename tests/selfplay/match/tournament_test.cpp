// Several players: everyone meets everyone, in one journal, with a table at the end.
#include "selfplay/match/tournament.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "selfplay/match/journal.h"
#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

class Tournament : public MatchTest {
 protected:
  Tournament() {
    settings_.match.variant = Variant::Crazyhouse;
    settings_.match.openings.check_nodes = 100;
    settings_.match.adjudication.max_plies = 80;
    settings_.match.games = 6;
    settings_.match.workers = 2;
    settings_.match.journal = folder_ / "all.jsonl";
    for (const auto& [name, nodes] :
         {std::pair{"deep", 600}, std::pair{"middling", 120}, std::pair{"flat", 20}}) {
      PlayerSpec player;
      player.name = name;
      player.hard_nodes = static_cast<std::uint64_t>(nodes);
      player.hash_mib = 1;
      settings_.players.push_back(player);
    }
  }

  std::vector<PairingResult> run() {
    started_.clear();
    return run_tournament(settings_, [this](const MatchSettings& match) {
      started_.push_back(match.a.name + " v " + match.b.name);
    });
  }

  TournamentSettings settings_;
  std::vector<std::string> started_;
};

TEST_F(Tournament, EveryoneMeetsEveryoneOrTheFirstMeetsTheOthers) {
  EXPECT_EQ(pairings_of(3, TournamentScheme::RoundRobin), (std::vector<Pairing>{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(pairings_of(4, TournamentScheme::Gauntlet), (std::vector<Pairing>{{0, 1}, {0, 2}, {0, 3}}));
}

TEST_F(Tournament, AllMatchesStandInOneJournalAndAreNotPlayedAgain) {
  const std::vector<PairingResult> first = run();
  EXPECT_EQ(started_, (std::vector<std::string>{"deep v middling", "deep v flat", "middling v flat"}));
  const std::string bytes = read_file(settings_.match.journal);
  const std::vector<PairingResult> again = run();
  EXPECT_EQ(read_file(settings_.match.journal), bytes);
  ASSERT_EQ(first.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(first[i].result.games.games(), 6);
    EXPECT_EQ(again[i].result, first[i].result);
  }
  // The openings are the same for all.
  EXPECT_EQ(MatchJournal(settings_.match_of(0)).pairs().size(), 3u);
  const auto opening_of_first_pair = [this](std::size_t number) {
    const std::vector<MatchPair> pairs = MatchJournal(settings_.match_of(number)).pairs();
    for (const MatchPair& pair : pairs)
      if (pair.index == 0) return pair.opening;
    return std::string();
  };
  EXPECT_EQ(opening_of_first_pair(0), opening_of_first_pair(2));
}

TEST_F(Tournament, CutAnywhereItGoesOnToTheSameResults) {
  const std::vector<PairingResult> whole = run();
  const std::string bytes = read_file(settings_.match.journal);
  Rng rng(4);
  for (int trial = 0; trial < 12; ++trial) {
    write_file(settings_.match.journal,
               bytes.substr(0, rng.below(static_cast<std::uint32_t>(bytes.size() + 1))));
    const std::vector<PairingResult> resumed = run();
    ASSERT_EQ(resumed.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(resumed[i].result, whole[i].result);
  }
}

TEST_F(Tournament, AJournalOfOtherPlayersIsRefused) {
  run();
  const std::string bytes = read_file(settings_.match.journal);
  settings_.players[2].hard_nodes = 30;  // met in the second match
  EXPECT_NE(refusal_of([this] { run(); }).find("b/hard_nodes is 20 there and 30 here"), std::string::npos);
  MatchSettings single = settings_.match_of(0);
  single.pairing = 0;
  EXPECT_NE(refusal_of([&] { MatchJournal journal(single); }).find("pairing is 1 there and unset here"),
            std::string::npos);
  EXPECT_EQ(read_file(settings_.match.journal), bytes);
}

TEST_F(Tournament, AnInterruptionEndsItAll) {
  std::atomic<bool> stop{false};
  settings_.match.stop = &stop;
  settings_.match.on_progress = [&](const MatchProgress&) { stop = true; };
  const std::vector<PairingResult> results = run();
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].result.end, MatchEnd::Interrupted);
}

TEST_F(Tournament, TheTableShowsTheBestFirstWithPointsAgainstEach) {
  PairingResult one{.pairing = {0, 1}, .settings = settings_.match_of(0), .result = {}};
  one.result.games = {.wins = 1, .draws = 1, .losses = 4};
  PairingResult two{.pairing = {1, 2}, .settings = settings_.match_of(2), .result = {}};
  two.result.games = {.wins = 2, .draws = 0, .losses = 0};
  EXPECT_EQ(cross_table(settings_, {one, two}),
            "    player    points      %       1       2       3\n"
            "  1 middling   6.5/8   81.2           4.5/6     2/2\n"
            "  2 deep       1.5/6   25.0   1.5/6               -\n"
            "  3 flat         0/2    0.0     0/2       -        \n");
  const nlohmann::json json = tournament_json(settings_, {one, two});
  EXPECT_EQ(json.at("standings").at(0).at("name"), "middling");
  EXPECT_EQ(json.at("matches").size(), 2u);
}

TEST_F(Tournament, PlayersOfOneNameAreRefused) {
  settings_.players[1].name = "deep";
  EXPECT_NE(refusal_of([this] { run(); }).find("two players are called deep"), std::string::npos);
}

}  // namespace
}  // namespace farrier
