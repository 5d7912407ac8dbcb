#include "trainer/compare.h"

#include <fmt/core.h>

#include "engine/base/files.h"
#include "tests/trainer/training_testing.h"
#include "trainer/checkpoint.h"
#include "trainer/metrics.h"

namespace farrier {
namespace {

class Compare : public FolderTest {
 protected:
  void train_into(const std::string& name, double lr, const Dataset& dataset, double result_weight = 0.3) {
    TrainSettings settings = small_settings(dataset.variant(), folder_ / name);
    settings.config.epochs = 2;
    settings.config.lr = lr;
    settings.config.result_weight = result_weight;
    std::atomic<bool> stop{false};
    train(settings, dataset, stop);
  }
  /// The first line that begins with `start`, without its indent.
  static std::string line_of(const std::string& text, const std::string& start) {
    const std::size_t at = text.find("  " + start);
    return at == std::string::npos ? "" : text.substr(at + 2, text.find('\n', at) - at - 2);
  }
};

TEST_F(Compare, TellsWhatDiffersAndHowTheTrainingsWent) {
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 60);
  train_into("a", 3e-3, dataset);
  train_into("b", 1e-3, dataset);
  const std::string text = compare_trainings(folder_ / "a", folder_ / "b");
  EXPECT_TRUE(has(line_of(text, "lr "), "0.003")) << text;
  EXPECT_TRUE(has(line_of(text, "lr "), "0.001")) << text;
  EXPECT_EQ(line_of(text, "hidden"), "");
  EXPECT_FALSE(has(text, "compare"));
  const auto best = load_training_metrics(folder_ / "a").best();
  EXPECT_TRUE(
      has(line_of(text, "validation_loss"), fmt::format("{:.6f}", *number_in(best, "validation_loss"))))
      << text;
  for (const char* part :
       {"sign_accuracy", "calibration_error", "positions_per_second", "none in hand", "forecast from"})
    EXPECT_TRUE(has(text, part)) << part;
}

TEST_F(Compare, WarnsOfLossesThatCannotBeCompared) {
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  train_into("a", 1e-3, dataset);
  train_into("target", 1e-3, dataset, 0.1);
  train_into("data", 1e-3, random_dataset(Variant::Chess, 61));
  EXPECT_TRUE(has(compare_trainings(folder_ / "a", folder_ / "target"), "in different ways"));
  EXPECT_TRUE(has(compare_trainings(folder_ / "a", folder_ / "data"), "different positions"));
  EXPECT_TRUE(has(compare_trainings(folder_ / "a", folder_ / "a"), "settings and data are the same"));
}

TEST_F(Compare, FindsATrainingInAGenerationAndInARun) {
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  train_into("run/gen-000/train", 1e-3, dataset);
  train_into("run/gen-001/train", 2e-3, dataset);
  EXPECT_EQ(load_training_metrics(folder_ / "run" / "gen-000").folder, folder_ / "run/gen-000/train");
  EXPECT_EQ(load_training_metrics(folder_ / "run").folder, folder_ / "run/gen-001/train");
}

TEST_F(Compare, ReadsOlderMetricsAndMetricsWithoutACheckpoint) {
  std::filesystem::create_directories(folder_ / "old");
  write_file_whole(
      folder_ / "old" / kMetricsName,
      "{\"epoch\":1,\"validation_loss\":0.25,\"best\":true}\n{\"epoch\":2,\"validation_loss\":0.5,"
      "\"best\":false,\"news\":7}\n");
  const std::string text = compare_trainings(folder_ / "old", folder_ / "old");
  EXPECT_TRUE(has(text, "settings of A are unknown"));
  EXPECT_TRUE(has(line_of(text, "validation_loss"), "0.250000")) << text;
  write_file_whole(folder_ / kMetricsName, "");
  EXPECT_TRUE(has(error_of([&] { compare_trainings(folder_, folder_ / "old"); }), "no finished epoch"));
}

TEST_F(Compare, TheNameOfTheNetThatATrainingBeganWithIsNoSetting) {
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  train_into("a", 1e-3, dataset);
  const auto net = folder_ / "a hidden=64 data=1.pt";
  std::filesystem::copy_file(folder_ / "a" / kCheckpointName, net);
  TrainSettings settings = small_settings(Variant::Chess, folder_ / "b");
  settings.config.epochs = 2;
  settings.config.lr = 1e-3;
  settings.config.result_weight = 0.3;
  settings.from = net;
  std::atomic<bool> stop{false};
  train(settings, dataset, stop);
  const std::string text = compare_trainings(folder_ / "a", folder_ / "b");
  EXPECT_TRUE(has(line_of(text, "from"), "a hidden=64 data=1.pt, sha256")) << text;
  EXPECT_EQ(line_of(text, "hidden"), "") << text;
  EXPECT_FALSE(has(text, "different positions")) << text;
}

TEST_F(Compare, MetricsThatNoTrainingWroteAreRefusedWithTheirLine) {
  std::filesystem::create_directories(folder_ / "odd");
  for (const char* second : {"{\"epoch\":2,\"best\":\"yes\"}", "{\"epoch\":2000000000}", "{\"epoch\":-5}",
                             "{\"epoch\":1e300}", "[2]"}) {
    write_file_whole(folder_ / "odd" / kMetricsName, "{\"epoch\":1}\n" + std::string(second) + "\n");
    const std::string error = error_of([&] { compare_trainings(folder_ / "odd", folder_ / "odd"); });
    EXPECT_TRUE(has(error, "metrics.jsonl:2: is not the line of metrics of epoch 2"))
        << second << ": " << error;
  }
}

TEST_F(Compare, AFolderWithoutMetricsIsToldInASentence) {
  std::filesystem::create_directories(folder_ / "empty");
  const std::string none = error_of([&] { compare_trainings(folder_ / "empty", folder_ / "empty"); });
  EXPECT_TRUE(has(none, "empty: holds no metrics.jsonl")) << none;
  EXPECT_TRUE(has(error_of([&] { compare_trainings(folder_ / "x", folder_ / "x"); }), "x: does not exist"));
  write_file_whole(folder_ / "empty" / kMetricsName, "{\"epoch\":1}\nnonsense\n");
  const std::string damaged = error_of([&] { compare_trainings(folder_ / "empty", folder_ / "empty"); });
  EXPECT_TRUE(has(damaged, "metrics.jsonl:2: ")) << damaged;
}

}  // namespace
}  // namespace farrier
