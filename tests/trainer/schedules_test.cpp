#include "trainer/schedules.h"

#include <gtest/gtest.h>

#include "tests/trainer/training_testing.h"
#include "trainer/config.h"

namespace farrier {
namespace {

using Kind = LrPhase::Kind;
using Unit = LrPhase::Unit;

std::string fault_of_train(const std::string& keys) {
  return error_of([&] { parse_experiment("variant = 'chess'\n[train]\n" + keys, "my.toml"); });
}

std::vector<LrPhase> phases_of(const std::string& keys) {
  return parse_experiment("variant = 'chess'\n[train]\n" + keys, "my.toml").train.lr_schedule;
}

TEST(LrSchedule, ByDefaultRisesThenFallsAlongACosine) {
  const LrSchedule schedule(warm_cosine(1e-3, 1e-5, 10, 1000), 100, 10);
  EXPECT_LT(schedule.at(0), 1.1e-4);
  EXPECT_NEAR(schedule.at(10), 1e-3, 1e-9);
  EXPECT_NEAR(schedule.at(505), (1e-3 + 1e-5) / 2, 1e-6);
  EXPECT_NEAR(schedule.at(999), 1e-5, 1e-7);
  for (int step = 0; step < 9; ++step) EXPECT_LT(schedule.at(step), schedule.at(step + 1));
  for (int step = 10; step < 999; ++step) EXPECT_GT(schedule.at(step), schedule.at(step + 1));
}

TEST(LrSchedule, TheDefaultWarmUpTakesATenthOfAShortTrainingAtMost) {
  const LrSchedule schedule(warm_cosine(1e-3, 0, 100, 50), 10, 5);
  EXPECT_LT(schedule.at(4), 1e-3);
  EXPECT_EQ(schedule.at(5), 1e-3);
}

TEST(LrSchedule, PhasesFollowOneAnotherAndBeginWhereTheOneBeforeEnded) {
  const LrSchedule schedule(phases_of(R"(epochs = 10
[[train.lr_schedule]]
kind = 'linear'
steps = 20
start = 0
end = 1e-2
[[train.lr_schedule]]
kind = 'constant'
share = 0.3
[[train.lr_schedule]]
kind = 'cosine'
end = 1e-3
[[train.lr_schedule]]
kind = 'linear'
epochs = 0.5
end = 0
)"),
                            100, 10);
  EXPECT_EQ(schedule.at(0), 0);
  EXPECT_NEAR(schedule.at(10), 5e-3, 1e-12);
  for (int step = 20; step < 320; ++step) EXPECT_EQ(schedule.at(step), 1e-2);
  EXPECT_LT(schedule.at(321), 1e-2);
  EXPECT_NEAR(schedule.at((320 + 950) / 2), 5.5e-3, 1e-5);
  EXPECT_NEAR(schedule.at(949), 1e-3, 1e-6);
  EXPECT_NEAR(schedule.at(975), 5e-4, 1e-12);
  EXPECT_NEAR(schedule.at(999), 2e-5, 1e-12);
}

TEST(LrSchedule, AStepPhaseFallsEveryFewEpochsOrAfterTheListedOnes) {
  const std::string start = "epochs = 8\n[[train.lr_schedule]]\nkind = 'step'\nstart = 1\nfactor = 0.5\n";
  const LrSchedule every(phases_of(start + "every = 3\n"), 10, 8);
  EXPECT_EQ(every.at(29), 1);
  EXPECT_EQ(every.at(30), 0.5);
  EXPECT_EQ(every.at(59), 0.5);
  EXPECT_EQ(every.at(79), 0.25);
  const LrSchedule listed(phases_of(start + "at = [1, 7]\n"), 10, 8);
  EXPECT_EQ(listed.at(9), 1);
  EXPECT_EQ(listed.at(10), 0.5);
  EXPECT_EQ(listed.at(69), 0.5);
  EXPECT_EQ(listed.at(70), 0.25);
}

TEST(LrSchedule, APhaseAfterStepsGoesOnFromTheLastRateThatWasUsed) {
  const LrSchedule schedule(phases_of(R"(epochs = 6
[[train.lr_schedule]]
kind = 'step'
epochs = 4
start = 0.8
factor = 0.5
every = 2
[[train.lr_schedule]]
kind = 'constant'
)"),
                            10, 6);
  EXPECT_EQ(schedule.at(39), 0.4);
  EXPECT_EQ(schedule.at(40), 0.4);
}

TEST(LrSchedule, SharesThatDoNotFallOnWholeStepsStillCoverEveryStep) {
  std::vector<LrPhase> phases(7);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    phases[i].unit = Unit::Share;
    phases[i].length = 1.0 / 7;
    phases[i].start = static_cast<double>(i + 1);
  }
  const LrSchedule schedule(phases, 10, 1);
  EXPECT_EQ(schedule.at(0), 1);
  EXPECT_EQ(schedule.at(9), 7);
  for (int step = 0; step < 9; ++step) EXPECT_LE(schedule.at(step), schedule.at(step + 1));
}

TEST(LrSchedule, StepsThatLeaveNoRoomForTheRestAreRefused) {
  std::vector<LrPhase> phases = warm_cosine(1, 0, 100, 1000);
  const std::string error = error_of([&] { LrSchedule(phases, 10, 5); });
  EXPECT_NE(error.find("take 100 steps, but the whole training has 50"), std::string::npos) << error;
}

TEST(LrScheduleConfig, PhasesThatDoNotAddUpAreRefused) {
  const std::string head = "epochs = 6\n[[train.lr_schedule]]\nkind = 'constant'\nstart = 1e-3\n";
  const std::string tail = "[[train.lr_schedule]]\nkind = 'constant'\n";
  EXPECT_EQ(
      fault_of_train(head + "epochs = 4\n" + tail + "epochs = 1\n"),
      "my.toml:4: [[train.lr_schedule]]: the phases last 5 epochs, but the training 6; make them add up, or "
      "leave out one phase's length");
  EXPECT_NE(fault_of_train(head + "share = 0.9999\n").find("last 5.9994 epochs, but"), std::string::npos);
  EXPECT_NE(fault_of_train(head + "share = 1\n" + tail).find("leave none for the one without"),
            std::string::npos);
  EXPECT_NE(fault_of_train(head + tail).find("only one phase may leave out its length"), std::string::npos);
  EXPECT_NE(fault_of_train(head + "steps = 10\n").find("counted in steps need one phase"), std::string::npos);
  EXPECT_EQ(phases_of(head + "epochs = 4\n" + tail + "epochs = 2\n").size(), 2U);
}

TEST(LrScheduleConfig, PhasesInEpochsMustFitTheEpochsOfEveryGeneration) {
  const std::string fault =
      fault_of_train("epochs = [6, 3]\n[[train.lr_schedule]]\nkind = 'constant'\nstart = 1e-3\nepochs = 6\n");
  EXPECT_NE(fault.find("the phases last 6 epochs, but the training 3"), std::string::npos) << fault;
}

TEST(LrScheduleConfig, AMisspeltKindOrKeyIsToldWithTheRightOnes) {
  EXPECT_EQ(
      fault_of_train("[[train.lr_schedule]]\nkind = 'cosin'\nstart = 1\nend = 0\n"),
      "my.toml:4: 'train.lr_schedule.kind' is 'cosin', but must be one of constant, linear, cosine, step");
  EXPECT_EQ(fault_of_train("[[train.lr_schedule]]\nkind = 'cosine'\nstrat = 1\nend = 0\n"),
            "my.toml:5: unknown key 'strat' in [train.lr_schedule]; did you mean 'start'?");
}

TEST(LrScheduleConfig, KeysThatAPhaseLacksOrHasNoUseForAreNamed) {
  const auto fault = [](const std::string& keys) { return fault_of_train("[[train.lr_schedule]]\n" + keys); };
  EXPECT_NE(fault("start = 1\n").find("needs the key 'kind'"), std::string::npos);
  EXPECT_NE(fault("kind = 'constant'\n").find("needs the key 'start'"), std::string::npos);
  EXPECT_NE(fault("kind = 'linear'\nstart = 1\n").find("needs the key 'end'"), std::string::npos);
  EXPECT_NE(fault("kind = 'constant'\nstart = 1\nend = 0\n").find("no use for the key 'end'"),
            std::string::npos);
  EXPECT_NE(fault("kind = 'step'\nstart = 1\nfactor = 0.1\n").find("either 'every'"), std::string::npos);
  EXPECT_NE(fault("kind = 'step'\nstart = 1\nfactor = 0.1\nat = [4, 4]\n").find("ascending"),
            std::string::npos);
  EXPECT_NE(fault("kind = 'constant'\nstart = 1\nsteps = 3\nshare = 1\n").find("give one of them"),
            std::string::npos);
}

TEST(LrScheduleConfig, ExcludesTheKeysOfThePlainSchedule) {
  EXPECT_EQ(fault_of_train("warmup_steps = 3\n[[train.lr_schedule]]\nkind = 'constant'\nstart = 1e-3\n"),
            "my.toml:3: 'train.warmup_steps' and [[train.lr_schedule]] exclude each other; leave out one");
  EXPECT_NE(fault_of_train("lr_schedule = 3\n").find("[[train.lr_schedule]], once for each"),
            std::string::npos);
}

TEST(LossConfig, ChoosesTheLossAndItsPower) {
  const auto loss_of = [](const std::string& keys) {
    return parse_experiment("variant = 'chess'\n[train]\n" + keys, "my.toml").train.loss;
  };
  EXPECT_EQ(loss_of("").kind, Loss::Kind::SquaredError);
  EXPECT_EQ(loss_of("loss = 'cross_entropy'\n").kind, Loss::Kind::CrossEntropy);
  EXPECT_EQ(loss_of("loss = 'power'\nloss_power = 2.6\n").power, 2.6);
  EXPECT_EQ(fault_of_train("loss = 'mse'\n"),
            "my.toml:3: 'train.loss' is 'mse', but must be one of squared_error, cross_entropy, power");
  EXPECT_NE(fault_of_train("loss_power = 2\n").find("only with loss = \"power\""), std::string::npos);
}

TEST(ResultWeightConfig, MayEndElsewhereInEveryGeneration) {
  const TrainConfig plain =
      parse_experiment("variant = 'chess'\n[train]\nresult_weight = 0.4\n", "a.toml").train;
  EXPECT_FALSE(plain.result_weight_end.has_value());
  const TrainConfig moving =
      parse_experiment("variant = 'chess'\n[train]\nresult_weight = 0.4\nresult_weight_end = [0.2, 0.1]\n",
                       "a.toml")
          .train;
  ASSERT_TRUE(moving.result_weight_end.has_value());
  EXPECT_EQ(moving.result_weight.at(1), 0.4);
  EXPECT_EQ(moving.result_weight_end->at(0), 0.2);
  EXPECT_EQ(moving.result_weight_end->at(1), 0.1);
  EXPECT_EQ(fault_of_train("result_weight_ends = 0.2\n"),
            "my.toml:3: unknown key 'result_weight_ends' in [train]; did you mean 'result_weight_end'?");
  EXPECT_EQ(fault_of_train("result_weight_end = 1.5\n"),
            "my.toml:3: 'train.result_weight_end' is 1.5, but must lie between 0 and 1");
}

TEST(OnTheWay, LeadsFromTheStartAtTheFirstStepToTheEndAtTheLast) {
  EXPECT_EQ(on_the_way(0.6, 0.2, 0, 101), 0.6);
  EXPECT_NEAR(on_the_way(0.6, 0.2, 50, 101), 0.4, 1e-12);
  EXPECT_NEAR(on_the_way(0.6, 0.2, 100, 101), 0.2, 1e-12);
  EXPECT_EQ(on_the_way(0.6, 0.2, 0, 1), 0.6);
}

}  // namespace
}  // namespace farrier
