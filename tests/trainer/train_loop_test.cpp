#include "trainer/train_loop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/trainer/training_testing.h"
#include "trainer/checkpoint.h"

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
  const Dataset dataset = random_dataset(Variant::Knightmate, 150);
  const TrainSettings whole = small_settings(Variant::Knightmate, folder_ / "whole");
  train(whole, dataset, stop_);

  // Stopped many times, at moments that chance decides, in the middle of epochs too.
  const TrainSettings broken = small_settings(Variant::Knightmate, folder_ / "broken");
  bool finished = false;
  int sessions = 0;
  bool within_an_epoch = false;
  while (!finished) {
    ASSERT_LT(++sessions, 1000);
    std::atomic<bool> stop{false};
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(12));
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

TEST_F(TrainLoop, ACheckpointOfOtherSettingsOrDataIsRefused) {
  TrainSettings settings = small_settings(Variant::Chess, folder_);
  settings.config.epochs = 1;
  train(settings, random_dataset(Variant::Chess, 60), stop_);
  const std::string other_data =
      error_of([&] { train(settings, random_dataset(Variant::Chess, 61), stop_); });
  EXPECT_NE(other_data.find(kCheckpointName), std::string::npos) << other_data;
  settings.config.lr = 5e-4;
  error_of([&] { train(settings, random_dataset(Variant::Chess, 60), stop_); });
}

TEST_F(TrainLoop, ADamagedCheckpointIsNamed) {
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  TrainSettings settings = small_settings(Variant::Chess, folder_);
  settings.config.epochs = 1;
  train(settings, dataset, stop_);
  std::filesystem::resize_file(folder_ / kCheckpointName, 2000);
  const std::string error = error_of([&] { train(settings, dataset, stop_); });
  EXPECT_NE(error.find((folder_ / kCheckpointName).string()), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
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

TEST_F(TrainLoop, ALossThatIsNoNumberStopsWithASentence) {
  TrainSettings settings = small_settings(Variant::Chess, folder_);
  settings.config.lr = std::numeric_limits<double>::infinity();
  const std::string error = error_of([&] { train(settings, random_dataset(Variant::Chess, 60), stop_); });
  EXPECT_NE(error.find("no longer a number at epoch 1, step"), std::string::npos) << error;
  EXPECT_NE(error.find("train.lr"), std::string::npos);
}

}  // namespace
}  // namespace farrier
