#include "trainer/train_loop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/base/files.h"
#include "selfplay/data/folder_lock.h"
#include "tests/trainer/training_testing.h"
#include "trainer/batch_origin.h"
#include "trainer/checkpoint_folder.h"

namespace farrier {
namespace {

class TrainLoop : public FolderTest {
 protected:
  std::atomic<bool> stop_{false};

  FloatNet weights(const std::filesystem::path& out) const {
    return load_checkpoint(out / kCheckpointName).net;
  }
  std::vector<nlohmann::json> metrics(const std::filesystem::path& out) const {
    std::ifstream in(out / kMetricsName);
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }
};

void expect_same_bits(const FloatNet& a, const FloatNet& b) {
  EXPECT_EQ(a.feature_weights, b.feature_weights);
  EXPECT_EQ(a.feature_bias, b.feature_bias);
  EXPECT_EQ(a.layers, b.layers);
}

TEST_F(TrainLoop, LearnsMaterialFromSyntheticGames) {
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 400);
  TrainSettings settings = small_settings(Variant::Crazyhouse, folder_);
  settings.config.epochs = 8;
  const TrainSummary summary = train(settings, dataset, stop_);
  EXPECT_TRUE(summary.finished);
  const auto lines = metrics(folder_);
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_LT(lines.back()["train_loss"], lines.front()["train_loss"].get<double>() / 2);
  EXPECT_LT(lines.back()["validation_loss"], lines.front()["validation_loss"].get<double>() * 0.7);
  EXPECT_EQ(lines[2]["epoch"], 3);
  EXPECT_DOUBLE_EQ(lines[static_cast<std::size_t>(summary.best_epoch) - 1]["validation_loss"],
                   summary.best_validation_loss);
}

TEST_F(TrainLoop, AResumedTrainingEndsWithTheSameBits) {
  const Dataset dataset =
      random_dataset(Variant::Knightmate, 600);  // so that steps take longer than checkpoints
  const TrainSettings whole = small_settings(Variant::Knightmate, folder_ / "whole");
  train(whole, dataset, stop_);

  // Stopped many times, at moments that chance decides, in the middle of epochs too; slowly later, so that a slow machine
  // ends too.
  const TrainSettings broken = small_settings(Variant::Knightmate, folder_ / "broken");
  bool finished = false;
  int sessions = 0;
  bool within_an_epoch = false;
  while (!finished) {
    ASSERT_LT(++sessions, 1000);
    std::atomic<bool> stop{false};
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(12 + sessions / 10));
      stop = true;
    });
    finished = train(broken, dataset, stop).finished;
    within_an_epoch |= load_checkpoint(folder_ / "broken" / kCheckpointName).progress.step > 0;
  }
  EXPECT_GT(sessions, 1);
  EXPECT_TRUE(within_an_epoch);
  expect_same_bits(weights(folder_ / "whole"), weights(folder_ / "broken"));
  const auto a = metrics(folder_ / "whole");
  const auto b = metrics(folder_ / "broken");
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i]["train_loss"], b[i]["train_loss"]);
    EXPECT_EQ(a[i]["validation_loss"], b[i]["validation_loss"]);
  }
}

TEST_F(TrainLoop, WeightsDoNotDependOnTheNumberOfThreads) {
  const Dataset dataset = random_dataset(Variant::Chess, 80);
  TrainSettings settings = small_settings(Variant::Chess, folder_ / "one");
  train(settings, dataset, stop_);
  settings.config.threads = 3;
  settings.out = folder_ / "three";
  train(settings, dataset, stop_);
  expect_same_bits(weights(folder_ / "one"), weights(folder_ / "three"));
}

TEST_F(TrainLoop, AFinishedTrainingIsNotTrainedFurther) {
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  const TrainSettings settings = small_settings(Variant::Chess, folder_);
  const TrainSummary first = train(settings, dataset, stop_);
  const TrainSummary second = train(settings, dataset, stop_);
  EXPECT_TRUE(second.finished);
  EXPECT_EQ(second.epochs, first.epochs);
  EXPECT_EQ(second.best_validation_loss, first.best_validation_loss);
  EXPECT_EQ(second.seconds, first.seconds);
}

TEST_F(TrainLoop, MetricsThatWereLostAreWrittenAnewFromTheCheckpoint) {
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  const TrainSettings settings = small_settings(Variant::Chess, folder_);
  train(settings, dataset, stop_);
  const std::string metrics = read_file(folder_ / kMetricsName);
  std::filesystem::remove(folder_ / kMetricsName);
  train(settings, dataset, stop_);
  EXPECT_EQ(read_file(folder_ / kMetricsName), metrics);
  write_file_whole(folder_ / kMetricsName, "nonsense\n");
  train(settings, dataset, stop_);
  EXPECT_EQ(read_file(folder_ / kMetricsName), metrics);
}

TEST_F(TrainLoop, BeginsWithANetWhoseFileNameIsNoUtf8) {
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  TrainSettings settings = small_settings(Variant::Chess, folder_ / "a");
  train(settings, dataset, stop_);
  settings.from = folder_ / "b\xff.pt";
  std::filesystem::copy_file(folder_ / "a" / kCheckpointName, *settings.from);
  settings.out = folder_ / "b";
  train(settings, dataset, stop_);
  EXPECT_TRUE(train(settings, dataset, stop_).finished) << "the same settings are known again";
}

TEST_F(TrainLoop, ACheckpointOfOtherSettingsOrDataIsRefused) {
  TrainSettings settings = small_settings(Variant::Chess, folder_);
  settings.config.epochs = 1;
  train(settings, random_dataset(Variant::Chess, 60), stop_);
  const std::string other_data =
      error_of([&] { train(settings, random_dataset(Variant::Chess, 61), stop_); });
  EXPECT_NE(other_data.find(kCheckpointName), std::string::npos) << other_data;
  settings.config.lr = 5e-4;
  settings.config.epochs = 3;
  const std::string other_settings =
      error_of([&] { train(settings, random_dataset(Variant::Chess, 60), stop_); });
  EXPECT_NE(other_settings.find("(epochs: then 1, now 3; lr: then 0.003, now 0.0005)"), std::string::npos)
      << other_settings;
}

TEST_F(TrainLoop, WeightsThatAreNoNumbersAreNotSavedThoughTheLossIsOne) {
  TrainSettings settings = small_settings(Variant::Chess, folder_);
  settings.config.epochs = 60;
  settings.config.lr = settings.config.lr_end = 0.3;
  settings.config.warmup_steps = 0;
  settings.config.weight_decay = 10;  // which an experiment's file would not let pass
  const std::string error = error_of([&] { train(settings, random_dataset(Variant::Chess, 60), stop_); });
  EXPECT_NE(error.find("a weight is no longer a number after epoch"), std::string::npos) << error;
  EXPECT_TRUE(is_finite(find_checkpoint(folder_).checkpoint.net)) << "the last one that was sound is there";
}

TEST_F(TrainLoop, StopsEarlyWithoutProgressAndKeepsTheBestEpoch) {
  const Dataset dataset = random_dataset(Variant::Chess, 40);
  TrainSettings settings = small_settings(Variant::Chess, folder_);
  settings.config.epochs = 200;
  settings.config.patience = 2;
  settings.config.lr = 0.02;
  const TrainSummary summary = train(settings, dataset, stop_);
  EXPECT_TRUE(summary.finished);
  EXPECT_LT(summary.epochs, 200);
  EXPECT_EQ(summary.epochs, summary.best_epoch + 2);
  const Checkpoint checkpoint = load_checkpoint(folder_ / kCheckpointName);
  EXPECT_NE(checkpoint.net.feature_weights, checkpoint.best.feature_weights);
}

TEST_F(TrainLoop, ALossThatIsNoNumberStopsWithTheGamesOfItsBatch) {
  TrainSettings settings = small_settings(Variant::Chess, folder_);
  LrPhase wild;
  wild.start = std::numeric_limits<double>::infinity();
  settings.config.lr_schedule = {wild};
  const std::string error = error_of([&] { train(settings, random_dataset(Variant::Chess, 60), stop_); });
  EXPECT_NE(error.find("no longer a number at epoch 1, step"), std::string::npos) << error;
  EXPECT_NE(error.find("train.lr"), std::string::npos);
  EXPECT_NE(error.find("128 positions come from"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
  // The call that the message names shows the position.
  const std::size_t call = error.find("farrier data show ");
  ASSERT_NE(call, std::string::npos) << error;
  const std::string command = std::string(FARRIER_BIN_DIR) + "/" + error.substr(call) + " > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

TEST_F(TrainLoop, TheLearningRateFollowsItsSchedule) {
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  TrainSettings settings = small_settings(Variant::Chess, folder_);
  LrPhase phase;
  phase.kind = LrPhase::Kind::Step;
  phase.start = 1e-3;
  phase.factor = 0.5;
  phase.at_epochs = {1};
  settings.config.lr_schedule = {phase};
  train(settings, dataset, stop_);
  const auto lines = metrics(folder_);
  EXPECT_EQ(lines.at(0)["lr"], 1e-3);
  EXPECT_EQ(lines.at(1)["lr"], 5e-4);
  EXPECT_EQ(lines.at(2)["lr"], 5e-4);
}

TEST_F(TrainLoop, EveryLossLearnsMaterial) {
  const Dataset dataset = random_dataset(Variant::Chess, 200);
  for (const Loss& loss : {Loss{Loss::Kind::CrossEntropy, 0}, Loss{Loss::Kind::Power, 2.5}}) {
    TrainSettings settings = small_settings(
        Variant::Chess, folder_ / (loss.kind == Loss::Kind::Power ? "power" : "cross_entropy"));
    settings.config.loss = loss;
    settings.config.epochs = 6;
    settings.config.result_weight = 0;
    train(settings, dataset, stop_);
    const auto lines = metrics(settings.out);
    EXPECT_LT(lines.back()["train_loss"], lines.front()["train_loss"]);
    EXPECT_LT(lines.back()["validation_score_loss"],
              lines.front()["validation_score_loss"].get<double>() * 0.7);
  }
}

TEST_F(TrainLoop, ARisingResultWeightIsValidatedWithItsLastValue) {
  const Dataset dataset = random_dataset(Variant::Chess, 100);
  TrainSettings settings = small_settings(Variant::Chess, folder_);
  settings.config.result_weight = 0.0;
  settings.config.result_weight_end = 1.0;
  train(settings, dataset, stop_);
  for (const auto& line : metrics(folder_)) {
    EXPECT_DOUBLE_EQ(line["validation_loss"], line["validation_result_loss"].get<double>());
    EXPECT_NE(line["validation_score_loss"], line["validation_loss"]);
  }
}

TEST_F(TrainLoop, AGivenScaleTakesThePlaceOfTheFittedOne) {
  TrainSettings settings = small_settings(Variant::Chess, folder_);
  settings.config.epochs = 1;
  settings.config.scale_cp = 123;
  EXPECT_EQ(train(settings, random_dataset(Variant::Chess, 60), stop_).scale_cp, 123);
  EXPECT_EQ(load_checkpoint(folder_ / kCheckpointName).scale_cp, 123);
}

TEST_F(TrainLoop, ALimitOnTheGradientsNormChangesOnlyTrainingsThatReachIt) {
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  TrainSettings settings = small_settings(Variant::Chess, folder_ / "free");
  settings.config.epochs = 1;
  train(settings, dataset, stop_);
  settings.out = folder_ / "high";
  settings.config.max_grad_norm = 1e6;
  train(settings, dataset, stop_);
  settings.out = folder_ / "low";
  settings.config.max_grad_norm = 1e-9;  // as small as AdamW's epsilon, so that steps shrink too
  train(settings, dataset, stop_);
  expect_same_bits(weights(folder_ / "free"), weights(folder_ / "high"));
  const auto travelled = [&](const char* out) {
    const FloatNet net = weights(folder_ / out);
    return std::abs(net.feature_bias[0] - 0.3F);
  };
  EXPECT_LT(travelled("low"), travelled("free"));
}

TEST_F(TrainLoop, TwoTrainingsInOneFolderAreRefused) {
  const FolderLock other(folder_, "train.lock");
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  EXPECT_NE(error_of([&] {
              train(small_settings(Variant::Chess, folder_), dataset, stop_);
            }).find(folder_.string()),
            std::string::npos);
}

TEST(BatchOrigin, NamesTheGamesThatTheBatchWasMadeOf) {
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 60);
  StreamOptions options;
  options.batch = 64;
  options.seed = 3;
  options.epoch = 1;
  BatchStream stream(dataset, Architecture(), DataPart::Training, options);
  stream.recycle(stream.next());
  const auto batch = stream.next();
  float furthest = 0;
  for (float score : batch->score_cp_stm)
    if (std::abs(score) > std::abs(furthest)) furthest = score;
  const std::string words = batch_origin(dataset, options, 1);
  EXPECT_NE(words.find("its 64 positions come from "), std::string::npos) << words;
  EXPECT_NE(words.find("has " + std::to_string(static_cast<int>(furthest)) + " cp"), std::string::npos)
      << words;
  EXPECT_EQ(batch_origin(dataset, options, 1000), "its positions are no longer in the data");
}

}  // namespace
}  // namespace farrier
