// Whole fits: the same with any number of workers, resumable, and refused where they make no sense.
#include "selfplay/tune/tuner.h"

#include <gtest/gtest.h>

#include <atomic>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/search/search_params.h"
#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

class Tuner : public MatchTest {
 protected:
  /// Short games in two variants, about two parameters that matter at once.
  TuneSettings small_fit() const {
    TuneSettings settings;
    settings.variants = {Variant::Crazyhouse, Variant::Knightmate};
    for (int i = 0; i < 2; ++i) {
      PlayerSpec base;
      base.hard_nodes = 60;
      base.hash_mib = 1;
      settings.bases.push_back(base);
    }
    settings.parameters = {{.name = "delta_margin", .value = 150, .low = 30, .high = 400, .step = 60},
                           {.name = "futility_margin", .value = 100, .low = 30, .high = 200, .step = 30}};
    settings.schedule = {.pairs = 70, .rate = 0.1};
    settings.openings.check_nodes = 100;
    settings.adjudication.max_plies = 60;
    settings.workers = 2;
    return settings;
  }
};

TEST_F(Tuner, OneWorkerAndThreeFitTheSameValues) {
  TuneSettings settings = small_fit();
  settings.workers = 1;
  const TuneResult alone = run_tuning(settings);
  settings.workers = 3;
  EXPECT_EQ(run_tuning(settings).parameters, alone.parameters);
  EXPECT_TRUE(alone.complete);
  EXPECT_EQ(alone.pairs, 70);
  EXPECT_NE(alone.parameters, settings.parameters) << "70 pairs of decisive games move the values";
}

TEST_F(Tuner, AnInterruptedFitGoesOnToTheSameValues) {
  TuneSettings settings = small_fit();
  const TuneResult unbroken = run_tuning(settings);
  std::atomic<bool> stop = false;
  settings.state = folder_ / "tune.json";
  settings.stop = &stop;
  settings.on_progress = [&](const TuneProgress&) { stop = true; };  // after the first batch
  const TuneResult part = run_tuning(settings);
  EXPECT_FALSE(part.complete);
  EXPECT_LT(part.pairs, 70);
  EXPECT_GT(part.pairs, 0);
  stop = false;
  settings.on_progress = nullptr;
  const TuneResult whole = run_tuning(settings);
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.parameters, unbroken.parameters);
}

TEST_F(Tuner, AStateOfOtherSettingsIsRefused) {
  TuneSettings settings = small_fit();
  settings.state = folder_ / "tune.json";
  settings.schedule.pairs = 2;
  run_tuning(settings);
  settings.seed = 2;
  EXPECT_THROW(run_tuning(settings), UserError);
  write_file_whole(settings.state, "{\"settings\":");
  EXPECT_THROW(run_tuning(settings), UserError);
}

TEST(Tunables, EveryDefaultLiesWithinItsBoundsAndNoNameComesTwice) {
  for (const Tunable& t : kTunables) {
    EXPECT_LE(t.low, SearchParams().*t.value) << t.name;
    EXPECT_GE(t.high, SearchParams().*t.value) << t.name;
    for (const Tunable& other : kTunables) EXPECT_EQ(&other == &t, other.name == t.name) << t.name;
  }
  EXPECT_EQ(kTunables.size() * sizeof(int), sizeof(SearchParams)) << "every parameter is in the table";
}

}  // namespace
}  // namespace farrier
