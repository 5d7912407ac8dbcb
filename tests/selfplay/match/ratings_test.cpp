// Joint ratings: right where the truth is known, honest about their error, and in words where no figure exists.
#include "selfplay/match/ratings.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "selfplay/match/elo.h"
#include "selfplay/match/journal.h"
#include "selfplay/match/rate_verb.h"
#include "selfplay/match/rating_report.h"
#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

std::vector<std::size_t> in_order(std::size_t players) {
  std::vector<std::size_t> order(players);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// A pair between players `lead` Elo apart. Openings favour one colour, so that the games of a pair depend on each
/// other; a fifth of what isn't lost by the opening is drawn.
void play_pair(Rng& rng, double lead, Pentanomial& pairs) {
  const double share = score_of_elo(lead);
  const double bias = 0.25 * (rng.uniform() - 0.5) * std::min(1.0, 4 * share * (1 - share));
  const double draws = 0.4 * share * (1 - share);
  const auto result = [&](double score) {
    const double roll = rng.uniform();
    return roll < score - draws / 2 ? 1 : roll < score + draws / 2 ? 0 : -1;
  };
  const int first = result(share + bias), second = result(share - bias);
  pairs.add(first, second);
}

std::vector<RatedPairing> play_all(const std::vector<double>& strengths, int pairs, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<RatedPairing> pairings;
  for (std::size_t a = 0; a < strengths.size(); ++a)
    for (std::size_t b = a + 1; b < strengths.size() && b <= a + 2; ++b) {
      RatedPairing pairing{.a = a, .b = b, .pairs = {}};
      for (int i = 0; i < pairs; ++i) play_pair(rng, strengths[a] - strengths[b], pairing.pairs);
      pairings.push_back(pairing);
    }
  return pairings;
}

TEST(Ratings, TwoPlayersAreRatedAsTheirMatchSays) {
  const Pentanomial pairs{{34, 54, 63, 64, 75}};
  const EloEstimate match = estimate_elo(pairs.cells());
  const RatingFit fit = fit_ratings(2, {{.a = 1, .b = 0, .pairs = pairs}}, in_order(2), 100);
  EXPECT_EQ(fit.ratings[0].elo, 100);
  EXPECT_EQ(fit.ratings[0].elo_error, 0);
  EXPECT_NEAR(fit.ratings[1].elo, 100 + match.elo.value(), 1e-6);
  EXPECT_NEAR(fit.ratings[1].elo_error, match.elo_error.value(), 0.01 * match.elo_error.value());
  EXPECT_NEAR(fit.superiority(1, 0), match.los.value(), 1e-4);
  EXPECT_NEAR(fit.superiority(0, 1), 1 - match.los.value(), 1e-4);
}

TEST(Ratings, KnownStrengthsAreFoundAgain) {
  const std::vector<double> strengths{0, 120, -80, 300, 210, 500};
  const RatingFit fit =
      fit_ratings(strengths.size(), play_all(strengths, 4000, 1), in_order(strengths.size()), 0);
  for (std::size_t i = 0; i < strengths.size(); ++i) {
    EXPECT_NEAR(fit.ratings[i].elo, strengths[i], 15) << i;
    EXPECT_LT(fit.ratings[i].elo_error, 20);
    EXPECT_TRUE(fit.ratings[i].is_bounded);
  }
  EXPECT_TRUE(fit.sweeps.empty());
}

// 2,000 intervals of 95% miss 100 times, with a deviation of 9.7 if they were independent; they share matches.
TEST(Ratings, ErrorBarsCoverTheTruthNineteenTimesOfTwenty) {
  const std::vector<double> strengths{0, 60, 150, -100, 40};
  int missed = 0;
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    const RatingFit fit = fit_ratings(5, play_all(strengths, 100, trial), in_order(5), 0);
    for (std::size_t i = 1; i < 5; ++i)
      if (std::abs(fit.ratings[i].elo - strengths[i]) > fit.ratings[i].elo_error) ++missed;
  }
  EXPECT_GT(missed, 55);
  EXPECT_LT(missed, 145);
}

TEST(Ratings, ErrorsAddUpAlongAChain) {
  const Pentanomial pairs{{10, 20, 40, 20, 10}};
  const RatingFit fit =
      fit_ratings(3, {{.a = 1, .b = 0, .pairs = pairs}, {.a = 2, .b = 1, .pairs = pairs}}, in_order(3), 0);
  EXPECT_NEAR(fit.ratings[2].elo_error, std::sqrt(2.0) * fit.ratings[1].elo_error, 1e-6);
  EXPECT_NEAR(fit.ratings[2].elo, 0, 1e-9);
}

TEST(Ratings, MatchesThatContradictEachOtherShareTheDifference) {
  const Pentanomial won{{0, 10, 40, 30, 20}}, lost{{20, 30, 40, 10, 0}};
  const RatingFit circle = fit_ratings(
      3, {{.a = 0, .b = 1, .pairs = won}, {.a = 1, .b = 2, .pairs = won}, {.a = 0, .b = 2, .pairs = lost}},
      in_order(3), 0);
  for (const Rating& rating : circle.ratings) EXPECT_NEAR(rating.elo, 0, 1e-6);
}

TEST(Ratings, PlayersWhoNeverMetStandInGroupsOfTheirOwn) {
  const Pentanomial pairs{{10, 20, 40, 25, 15}};
  const RatingFit fit = fit_ratings(5, {{.a = 0, .b = 3, .pairs = pairs}, {.a = 1, .b = 4, .pairs = pairs}},
                                    {3, 0, 1, 2, 4}, 50);
  EXPECT_EQ(fit.anchors, (std::vector<std::size_t>{3, 1, 2}));
  EXPECT_EQ(fit.ratings[3].elo, 50);
  EXPECT_GT(fit.ratings[0].elo, 50);
  EXPECT_EQ(fit.ratings[0].group, 0u);
  EXPECT_EQ(fit.ratings[1].elo, 0);
  EXPECT_EQ(fit.ratings[4].group, 1u);
  EXPECT_NEAR(fit.ratings[4].elo, -(fit.ratings[0].elo - 50), 1e-9);
  EXPECT_EQ(fit.ratings[2].group, 2u);
}

TEST(Ratings, ASweepIsRatedByOneDrawnPairAndToldAsSuch) {
  const Pentanomial swept{{0, 0, 0, 0, 40}}, close{{10, 20, 40, 25, 15}};
  const RatingFit fit =
      fit_ratings(3, {{.a = 1, .b = 0, .pairs = close}, {.a = 1, .b = 2, .pairs = swept}}, in_order(3), 0);
  EXPECT_TRUE(fit.ratings[1].is_bounded);
  EXPECT_FALSE(fit.ratings[2].is_bounded);
  EXPECT_NEAR(fit.ratings[1].elo - fit.ratings[2].elo, elo_of_score(40.5 / 41), 1e-6);
  EXPECT_GT(fit.ratings[2].elo_error, 200);
  ASSERT_EQ(fit.sweeps.size(), 1u);
  EXPECT_EQ(fit.sweeps[0].winner, 1u);
  EXPECT_EQ(fit.sweeps[0].pairs, swept);

  // Where a way around it exists, nothing is added: the loser of the sweep has beaten someone who beat the winner.
  const RatingFit round = fit_ratings(
      3,
      {{.a = 1, .b = 0, .pairs = close}, {.a = 1, .b = 2, .pairs = swept}, {.a = 2, .b = 0, .pairs = close}},
      in_order(3), 0);
  EXPECT_TRUE(round.sweeps.empty());
  EXPECT_TRUE(round.ratings[2].is_bounded);
}

TEST(Ratings, EqualPairsClaimNoCertainty) {
  const RatingFit fit = fit_ratings(2, {{.a = 0, .b = 1, .pairs = {{0, 0, 20, 0, 0}}}}, in_order(2), 0);
  EXPECT_NEAR(fit.ratings[1].elo, 0, 1e-9);
  EXPECT_GT(fit.ratings[1].elo_error, 10);
  const RatingFit single = fit_ratings(2, {{.a = 0, .b = 1, .pairs = {{0, 0, 1, 0, 0}}}}, in_order(2), 0);
  EXPECT_GT(single.ratings[1].elo_error, 150);
}

class RateVerb : public MatchTest {
 protected:
  /// A match of made-up pairs in a journal of its own.
  void play(const std::string& file, const std::string& a, const std::string& b, std::uint64_t seed = 5,
            Variant variant = Variant::Crazyhouse) {
    const auto spec = [&](const std::string& name) {
      PlayerSpec player;
      player.name = name;
      if (name != "material") player.net = std::make_shared<const Net>(random_net(variant, name.size()));
      return player;
    };
    MatchSettings settings;
    settings.variant = variant;
    settings.a = spec(a);
    settings.b = spec(b);
    settings.games = 100;
    settings.workers = 1;
    settings.seed = seed;
    settings.journal = folder_ / file;
    std::filesystem::create_directories(settings.journal.parent_path());
    results_.push_back(schedule_match(settings, [seed] { return made_up_player(seed); }));
  }

  std::string call(const std::string& arguments) const {
    CLI::App app;
    add_rate_verb(app);
    testing::internal::CaptureStdout();
    try {
      app.parse("rate " + arguments, false);
    } catch (...) {
      testing::internal::GetCapturedStdout();
      throw;
    }
    return testing::internal::GetCapturedStdout();
  }
  nlohmann::json rated(const std::string& arguments) const {
    return nlohmann::json::parse(call(arguments + " --json"));
  }
  std::string path(const std::string& file) const { return (folder_ / file).string(); }

  std::vector<MatchResult> results_;
};

TEST_F(RateVerb, OneMatchHasTheEloOfItsReport) {
  play("one.jsonl", "new", "material");
  const nlohmann::json variants = rated(path("one.jsonl")).at("variants");
  ASSERT_EQ(variants.size(), 1u);
  const nlohmann::json& best = variants[0].at("players").at(0);
  EXPECT_EQ(best.at("name"), "new");
  EXPECT_NEAR(best.at("elo").get<double>(), results_[0].elo()->elo.value(), 1e-6);
  EXPECT_EQ(best.at("games"), 100);
  EXPECT_EQ(variants[0].at("pairings")[0].at("pentanomial").dump(),
            nlohmann::json(results_[0].pairs.pairs).dump());
  EXPECT_EQ(variants[0].at("players").at(1).at("anchor"), true);
}

TEST_F(RateVerb, ARunsFolderGivesItsGatesAndFinalMatches) {
  play("run/gen-000/gate.jsonl", "g0", "material", 1);
  play("run/gen-001/gate.jsonl", "gen1", "g0", 2);
  play("run/final-001.jsonl", "gen1", "material", 3);
  write_file(folder_ / "run/gen-001/metrics.jsonl", "{}\n");
  const std::string text = call(path("run"));
  EXPECT_TRUE(
      text.starts_with("Ratings of crazyhouse: 3 players, 3 matches, 150 pairs of games; errors are of the "
                       "distance to material = 0\n"))
      << text;
  for (const char* name : {" gen1 ", " g0 ", " material "})
    EXPECT_NE(text.find(name), std::string::npos) << text;
  EXPECT_EQ(call(path("run") + " --anchor g0=1000").find("distance to g0 = 1000\n") == std::string::npos,
            false);
  EXPECT_NE(refusal_of([&] { call(path("run") + " --anchor g7=0"); }).find("there are g0, material, gen1"),
            std::string::npos);
  EXPECT_THROW(call(path("run") + " --anchor g0"), WrongCall);
}

TEST_F(RateVerb, VariantsAreRatedApart) {
  play("zh.jsonl", "new", "material");
  play("km.jsonl", "new", "material", 5, Variant::Knightmate);
  const nlohmann::json variants = rated(path("zh.jsonl") + " " + path("km.jsonl")).at("variants");
  ASSERT_EQ(variants.size(), 2u);
  EXPECT_EQ(variants[0].at("variant"), "crazyhouse");
  EXPECT_EQ(variants[1].at("variant"), "knightmate");
  EXPECT_EQ(variants[1].at("players").size(), 2u);
}

TEST_F(RateVerb, ACopyOfAMatchCountsOnce) {
  play("one.jsonl", "new", "material");
  const std::string bytes = read_file(folder_ / "one.jsonl");
  write_file(folder_ / "cut.jsonl", bytes.substr(0, bytes.size() / 2));
  for (const std::string files : {"cut.jsonl one.jsonl", "one.jsonl cut.jsonl", "one.jsonl one.jsonl"}) {
    const std::size_t blank = files.find(' ');
    const nlohmann::json answer = rated(path(files.substr(0, blank)) + " " + path(files.substr(blank + 1)));
    EXPECT_EQ(answer.at("variants")[0].at("players")[0].at("games"), 100) << files;
    EXPECT_NE(answer.at("notes")[0].get<std::string>().find("it counts once"), std::string::npos);
  }
}

TEST_F(RateVerb, SeveralMatchesMayStandInOneJournal) {
  play("one.jsonl", "new", "material", 1);
  play("two.jsonl", "newer", "material", 2);
  write_file(folder_ / "both.jsonl", read_file(folder_ / "one.jsonl") + read_file(folder_ / "two.jsonl"));
  EXPECT_EQ(rated(path("both.jsonl")).at("variants"),
            rated(path("one.jsonl") + " " + path("two.jsonl")).at("variants"));
}

TEST_F(RateVerb, PlayersWithoutACommonOpponentAreToldApart) {
  play("one.jsonl", "new", "material", 1);
  play("two.jsonl", "newer", "newest", 2);
  const std::string text = call(path("one.jsonl") + " " + path("two.jsonl"));
  EXPECT_NE(
      text.find(
          "No chain of matches leads from those above to these, so nothing tells how they compare; newer "
          "= 0 here:\n"),
      std::string::npos)
      << text;
}

TEST_F(RateVerb, TheSameNameUnderOtherLimitsIsAnotherPlayer) {
  play("one.jsonl", "new", "material", 1);
  std::string bytes = read_file(folder_ / "one.jsonl");
  for (std::size_t at = 0; (at = bytes.find("\"hard_nodes\":1000", at)) != std::string::npos; at += 17)
    bytes.replace(at, 17, "\"hard_nodes\":2000");
  write_file(folder_ / "two.jsonl", bytes);
  const std::string text = call(path("one.jsonl") + " " + path("two.jsonl"));
  EXPECT_NE(text.find("material (1000 nodes)"), std::string::npos) << text;
  EXPECT_NE(text.find("material (2000 nodes)"), std::string::npos) << text;
}

TEST_F(RateVerb, FilesOfOtherFormatsAreRefusedInWords) {
  write_file(folder_ / "game.pgn", "[Event \"match\"]\n\n1. e4 *\n");
  write_file(folder_ / "metrics.jsonl", "{\"epoch\":1}\n");
  write_file(folder_ / "later.jsonl", "{\"farrier_match_journal\":2,\"settings\":{}}\n");
  write_file(folder_ / "bare.jsonl", "{\"farrier_match_journal\":1,\"settings\":{}}\n");
  write_file(folder_ / "empty.jsonl", "");
  std::filesystem::create_directories(folder_ / "nothing");
  const auto refusal = [&](const std::string& file) { return refusal_of([&] { call(path(file)); }); };
  EXPECT_NE(refusal("game.pgn").find("game.pgn: is no match journal"), std::string::npos);
  EXPECT_NE(refusal("metrics.jsonl").find("is no match journal"), std::string::npos);
  EXPECT_NE(refusal("later.jsonl").find("is a match journal of version 2; this program reads version 1"),
            std::string::npos);
  EXPECT_NE(refusal("bare.jsonl").find("has a header without a match's settings"), std::string::npos);
  EXPECT_NE(refusal("empty.jsonl").find("is empty"), std::string::npos);
  EXPECT_NE(refusal("nothing").find("holds no match journals"), std::string::npos);
  play("good.jsonl", "new", "material");
  std::string bytes = read_file(folder_ / "good.jsonl");
  bytes[bytes.find('\n') + 1] = '#';
  write_file(folder_ / "good.jsonl", bytes);
  EXPECT_NE(refusal("good.jsonl").find("line 2 is damaged"), std::string::npos);
}

}  // namespace
}  // namespace farrier
