// Whole matches: the same with any number of workers, resumable, stoppable, and telling the stronger side.
#include "selfplay/match/match_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "selfplay/match/journal.h"
#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

class MatchRunner : public MatchTest {
 protected:
  /// Material against material with fewer nodes: fast, and full of decisive games.
  MatchSettings small_match(Variant variant) const {
    MatchSettings settings;
    settings.variant = variant;
    settings.a.hard_nodes = 300;
    settings.a.hash_mib = 1;
    settings.b.hard_nodes = 60;
    settings.b.hash_mib = 1;
    settings.openings.check_nodes = 200;
    settings.adjudication.max_plies = 120;
    settings.games = 12;
    settings.workers = 2;
    return settings;
  }

  static std::vector<MatchPair> sorted_pairs(const MatchSettings& settings) {
    std::vector<MatchPair> pairs = MatchJournal(settings).pairs();
    std::sort(pairs.begin(), pairs.end(),
              [](const MatchPair& x, const MatchPair& y) { return x.index < y.index; });
    return pairs;
  }
};

TEST_F(MatchRunner, OneWorkerAndFourPlayTheSameGames) {
  for (const Variant variant : kAllVariants) {
    SCOPED_TRACE(variant_name(variant));
    MatchSettings settings = small_match(variant);
    settings.workers = 1;
    settings.journal = folder_ / (std::string(variant_name(variant)) + "-1.jsonl");
    const MatchResult alone = run_match(settings);
    const std::vector<MatchPair> pairs = sorted_pairs(settings);
    settings.workers = 4;
    settings.journal = folder_ / (std::string(variant_name(variant)) + "-4.jsonl");
    EXPECT_EQ(run_match(settings), alone);
    EXPECT_EQ(sorted_pairs(settings), pairs);
    EXPECT_EQ(alone.end, MatchEnd::AllPlayed);
    EXPECT_EQ(alone.games.games(), 12);
  }
}

TEST_F(MatchRunner, OpeningsDependOnTheSeedAndNotOnThePlayers) {
  MatchSettings settings = small_match(Variant::Crazyhouse);
  settings.journal = folder_ / "one.jsonl";
  run_match(settings);
  const std::vector<MatchPair> pairs = sorted_pairs(settings);
  settings.a.hard_nodes = 100;
  settings.journal = folder_ / "two.jsonl";
  run_match(settings);
  const std::vector<MatchPair> others = sorted_pairs(settings);
  settings.seed = 2;
  settings.journal = folder_ / "three.jsonl";
  run_match(settings);
  const std::vector<MatchPair> reseeded = sorted_pairs(settings);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(pairs[i].opening, others[i].opening);
    EXPECT_NE(pairs[i].opening, reseeded[i].opening);
    if (i > 0) {
      EXPECT_NE(pairs[i].opening, pairs[i - 1].opening);
    }
  }
}

TEST_F(MatchRunner, MaterialBeatsANetOfRandomWeights) {
  MatchSettings settings = small_match(Variant::Crazyhouse);
  settings.b.hard_nodes = settings.a.hard_nodes;
  settings.b.net = std::make_shared<const Net>(random_net(Variant::Crazyhouse, 1));
  const MatchResult result = run_match(settings);
  EXPECT_GE(result.games.wins, 8);
  settings.workers = 1;
  EXPECT_EQ(run_match(settings), result);
}

TEST_F(MatchRunner, TheDeeperSearcherWinsItsMatch) {
  MatchSettings settings = small_match(Variant::Crazyhouse);
  settings.a.hard_nodes = 2000;
  settings.b.hard_nodes = 50;
  settings.games = 40;
  const MatchResult result = run_match(settings);
  EXPECT_GT(result.games.wins, 3 * result.games.losses);
  settings.games = 400;
  settings.sprt = SprtSettings{.elo0 = 0, .elo1 = 100};
  const MatchResult tested = run_match(settings);
  EXPECT_EQ(tested.end, MatchEnd::AcceptedH1);
  EXPECT_LT(tested.games.games(), 200);
}

TEST_F(MatchRunner, APlayerAgainstItselfScoresExactlyHalf) {
  MatchSettings settings = small_match(Variant::Knightmate);
  settings.b = settings.a;
  const MatchResult result = run_match(settings);
  EXPECT_EQ(result.pairs.pairs[2], result.pairs.count());  // the second game repeats the first
  EXPECT_EQ(result.games.wins, result.games.losses);
}

TEST_F(MatchRunner, AStoppedMatchGoesOnFromItsJournalToTheSameResult) {
  MatchSettings settings = small_match(Variant::PocketKnight);
  settings.journal = folder_ / "whole.jsonl";
  const MatchResult whole = run_match(settings);

  settings.journal = folder_ / "stopped.jsonl";
  for (int session = 0; session < 3; ++session) {
    std::atomic<bool> stop{false};
    settings.stop = &stop;
    settings.on_progress = [&](const MatchProgress&) { stop = true; };
    const MatchResult part = run_match(settings);
    EXPECT_EQ(part.end, MatchEnd::Interrupted);
    EXPECT_LT(part.pairs.count(), whole.pairs.count());
  }
  settings.stop = nullptr;
  settings.on_progress = {};
  EXPECT_EQ(run_match(settings), whole);
}

TEST_F(MatchRunner, TheSequentialTestEndsAtTheSamePairWithAnyNumberOfWorkers) {
  MatchSettings settings;
  settings.games = 4000;
  settings.sprt = SprtSettings{.elo0 = 0, .elo1 = 60};
  settings.workers = 1;
  const MatchResult alone = schedule_match(settings, [] { return made_up_player(5); });
  ASSERT_EQ(alone.end, MatchEnd::AcceptedH1);
  for (const int workers : {2, 4, 16}) {
    settings.workers = workers;
    EXPECT_EQ(schedule_match(settings, [] { return made_up_player(5); }), alone);
  }
}

TEST_F(MatchRunner, ProgressCountsUpToTheLastPair) {
  MatchSettings settings;
  settings.games = 100;
  std::int64_t calls = 0, last = 0;
  settings.on_progress = [&](const MatchProgress& progress) {
    ++calls;
    EXPECT_EQ(progress.pairs_this_session, calls);
    EXPECT_EQ(progress.pairs_to_play, 50);
    EXPECT_GE(progress.result.pairs.count(), last);
    last = progress.result.pairs.count();
  };
  schedule_match(settings, [] { return made_up_player(1); });
  EXPECT_EQ(calls, 50);
  EXPECT_EQ(last, 50);
}

TEST_F(MatchRunner, AFaultInOneWorkerEndsTheMatchWithIt) {
  MatchSettings settings;
  settings.games = 4000;
  settings.workers = 4;
  const auto faulty = []() -> PairPlayer {
    return [](std::int64_t index, const std::function<bool()>&) -> std::optional<MatchPair> {
      if (index == 17) throw UserError("disk", "is full");
      return made_up_pair(1, index);
    };
  };
  EXPECT_EQ(refusal_of([&] { schedule_match(settings, faulty); }), "disk: is full");
}

TEST_F(MatchRunner, SettingsThatMakeNoMatchAreRefused) {
  const auto refusal = [](const std::function<void(MatchSettings&)>& spoil) {
    MatchSettings settings;
    settings.variant = Variant::Crazyhouse;
    spoil(settings);
    return refusal_of([&] { run_match(settings); });
  };
  EXPECT_NE(refusal([](auto& s) { s.games = 7; }).find("7 games make no pairs"), std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.games = 0; }), "");
  EXPECT_NE(refusal([](auto& s) { s.workers = -1; }), "");
  EXPECT_NE(
      refusal([](auto& s) { s.sprt = SprtSettings{.elo0 = 5, .elo1 = 5}; }).find("elo0 must be below elo1"),
      std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.adjudication.max_plies = 5000; }), "");
  EXPECT_NE(refusal([](auto& s) { s.a.hard_nodes.reset(); }).find("has no limit"), std::string::npos);
  const std::string foreign = refusal([](auto& s) {
    Net net;
    net.variant = Variant::Knightmate;
    s.b.net = std::make_shared<const Net>(net);
    s.b.name = "horse.fnn";
  });
  EXPECT_EQ(foreign, "horse.fnn: is a net for knightmate, not for crazyhouse; give one of this variant");
}

}  // namespace
}  // namespace farrier
