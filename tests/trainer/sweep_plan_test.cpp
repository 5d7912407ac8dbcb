#include "trainer/sweep_plan.h"

#include "tests/trainer/sweep_testing.h"
#include "tests/trainer/training_testing.h"

namespace farrier {
namespace {

std::vector<std::string> names_of(const std::vector<SweepPoint>& points) {
  std::vector<std::string> names;
  for (const SweepPoint& point : points) names.push_back(point.name);
  return names;
}

TEST(SweepAxis, CommasInBracketsAndQuotesBelongToAValue) {
  const SweepAxis axis = parse_sweep_axis("train.epochs=[4,2],[ {a=1,b=2} ],\"x,y\",8");
  EXPECT_EQ(axis.key, "train.epochs");
  EXPECT_EQ(axis.values, (std::vector<std::string>{"[4,2]", "[ {a=1,b=2} ]", "\"x,y\"", "8"}));
}

TEST(SweepAxis, WhatIsNoneIsRefused) {
  for (const char* text :
       {"train.lr", "=3", "train.lr=", "train.lr=1,,2", "train..lr=1", "train.lr=1,1", "train.lr=1e-3,0.001"})
    EXPECT_TRUE(has(error_of([&] { parse_sweep_axis(text); }), std::string("--set ") + text)) << text;
}

TEST(SweepPlan, HoldsEveryCombinationOnce) {
  const auto points =
      plan_sweep(small_experiment(),
                 {parse_sweep_axis("train.lr=1e-3,5e-4"), parse_sweep_axis("train.batch=64,128")}, 1);
  EXPECT_EQ(names_of(points), (std::vector<std::string>{"lr=1e-3,batch=64", "lr=1e-3,batch=128",
                                                        "lr=5e-4,batch=64", "lr=5e-4,batch=128"}));
  EXPECT_EQ(points[2].experiment.train.lr, 5e-4);
  EXPECT_EQ(points[2].experiment.train.batch, 64);
  EXPECT_EQ(points[2].experiment.train.epochs.at(0), 2);  // not swept, so as in the file
  EXPECT_EQ(points[2].experiment.name, "small");
}

TEST(SweepPlan, SeedsAreOneMoreAxisFromTheExperimentsOwnUpwards) {
  const auto points = plan_sweep(small_experiment(), {parse_sweep_axis("train.lr=1e-3")}, 3);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].experiment.seed, 1U);
  EXPECT_EQ(points[2].experiment.seed, 3U);
  EXPECT_EQ(points[2].name, "lr=1e-3,seed=3");
  Experiment last = small_experiment();
  last.seed = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) - 1;
  EXPECT_EQ(plan_sweep(last, {}, 2)[1].experiment.seed, last.seed + 1);
  EXPECT_TRUE(
      has(error_of([&] { plan_sweep(last, {}, 3); }), "--seeds: counts on from seed 9223372036854775806"));
}

TEST(SweepPlan, AMisspeltKeyIsRefusedWithTheOneThatWasMeant) {
  const auto plan = [](const std::string& axis) {
    return error_of([&] { plan_sweep(small_experiment(), {parse_sweep_axis(axis)}, 1); });
  };
  EXPECT_EQ(plan("train.lrr=1e-3,5e-4"),
            "--set train.lrr=1e-3: unknown key 'lrr' in [train]; did you mean 'lr'?");
  EXPECT_TRUE(has(plan("trian.lr=1e-3"), "did you mean 'train'?"));
  EXPECT_TRUE(has(plan("hidden=16,32"), "did you mean 'net.hidden'?"));
  EXPECT_TRUE(has(plan("train.filters.noisey=true"), "did you mean 'noisy'?"));
  EXPECT_TRUE(has(plan("train.lr=1e-3,fast"), "--set train.lr=fast: 'train.lr' must be a number"));
  EXPECT_TRUE(has(plan("train.batch.x=1"), "'batch' is no section"));
}

TEST(SweepPlan, KeysThatChangeNoTrainingAreRefused) {
  for (const char* axis :
       {"selfplay.soft_nodes=100,200", "gate.games=10", "run.hours=1", "name=a", "variant=chess"})
    EXPECT_TRUE(has(error_of([&] { plan_sweep(small_experiment(), {parse_sweep_axis(axis)}, 1); }),
                    "changes nothing in a training"))
        << axis;
}

TEST(SweepPlan, AValueThatIsASectionOrMoreThanOneKeyIsRefused) {
  const auto plan = [](const std::string& axis) {
    return error_of([&] { plan_sweep(small_experiment(), {parse_sweep_axis(axis)}, 1); });
  };
  EXPECT_TRUE(has(plan("train={lr=1e-3},{lr=2e-3}"), "whole section"));
  EXPECT_TRUE(has(plan("train.filters={noisy=true}"), "whole section"));
  EXPECT_TRUE(has(plan("train.lr=1e-3\nbatch=64"), "no TOML value"));
}

TEST(SweepPlan, ASweepOfNothingAndOneOfTheSameKeyTwiceAreRefused) {
  EXPECT_TRUE(has(error_of([&] { plan_sweep(small_experiment(), {}, 1); }), "nothing to vary"));
  const SweepAxis axis = parse_sweep_axis("train.lr=1e-3");
  EXPECT_TRUE(has(error_of([&] { plan_sweep(small_experiment(), {axis, axis}, 1); }), "given twice"));
}

TEST(SweepPlan, NamesOfFoldersTellTheirSettingsApart) {
  const auto points = plan_sweep(small_experiment(), {parse_sweep_axis("train.epochs=[4,2],[42],42")}, 1);
  for (const SweepPoint& point : points)
    EXPECT_EQ(point.name.find_first_of("[] /"), std::string::npos) << point.name;
  EXPECT_NE(points[1].name, points[2].name);
  EXPECT_TRUE(points[0].name.starts_with("epochs=4-2"));
  EXPECT_EQ(points[2].name, "epochs=42");
}

TEST(SweepPlan, ValuesThatGoTogetherOnlyAreTakenTogether) {
  const auto points = plan_sweep(small_experiment(),
                                 {parse_sweep_axis("train.lr=0.9"), parse_sweep_axis("train.lr_end=0.5")}, 1);
  EXPECT_EQ(points[0].experiment.train.lr_end, 0.5);
  EXPECT_TRUE(
      has(error_of([&] { plan_sweep(small_experiment(), {parse_sweep_axis("train.lr_end=0.5")}, 1); }),
          "above train.lr"));
}

TEST(SweepPlan, ATextNeedsNoQuotes) {
  const std::string error =
      error_of([&] { plan_sweep(small_experiment(), {parse_sweep_axis("train.filters.noisy=maybe")}, 1); });
  EXPECT_TRUE(has(error, "must be true or false")) << error;
}

}  // namespace
}  // namespace farrier
