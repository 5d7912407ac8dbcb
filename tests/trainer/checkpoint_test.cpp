#include "trainer/checkpoint_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <utility>

#include "engine/base/files.h"
#include "tests/trainer/training_testing.h"
#include "trainer/train_loop.h"

namespace farrier {
namespace {

/// A finished training of six epochs on few games.
class Checkpoints : public FolderTest {
 protected:
  void train_six() {
    settings_.config.epochs = 6;
    settings_.config.patience = 6;
    summary_ = train(settings_, dataset_, stop_);
  }
  static void cut(const std::filesystem::path& file) {
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  }
  static void flip_a_bit(const std::filesystem::path& file) {
    std::string bytes = read_file(file);
    bytes[bytes.size() / 3] ^= 4;
    write_file_whole(file, bytes);
  }

  std::atomic<bool> stop_{false};
  Dataset dataset_ = random_dataset(Variant::Chess, 60);
  std::filesystem::path out_;
  TrainSettings settings_;
  TrainSummary summary_;

  void SetUp() override {
    FolderTest::SetUp();
    out_ = folder_ / "train";
    settings_ = small_settings(Variant::Chess, out_);
  }
};

TEST_F(Checkpoints, TheLastThreeEpochsAndTheBestOneAreKept) {
  train_six();
  std::vector<std::string> names;
  for (const auto& path : CheckpointFolder(out_).all()) names.push_back(path.filename().string());
  EXPECT_EQ(names,
            (std::vector<std::string>{"checkpoint.pt", "checkpoint-epoch-006.pt", "checkpoint-epoch-005.pt",
                                      "checkpoint-epoch-004.pt", "best.pt"}));
  EXPECT_EQ(load_checkpoint(out_ / "checkpoint-epoch-005.pt").progress.epoch, 5);
  const Checkpoint best = load_checkpoint(out_ / kBestCheckpointName);
  EXPECT_EQ(best.progress.epoch, summary_.best_epoch);
  EXPECT_EQ(best.net.feature_weights, best.best.feature_weights);
  EXPECT_EQ(best.net.feature_weights, load_checkpoint(out_ / kCheckpointName).best.feature_weights);
}

TEST_F(Checkpoints, ADamagedNewestOneFallsBackToTheOneBeforeAndEndsWithTheSameBits) {
  train_six();
  const FloatNet whole = load_checkpoint(out_ / kCheckpointName).net;
  cut(out_ / kCheckpointName);
  flip_a_bit(out_ / "checkpoint-epoch-006.pt");
  EXPECT_EQ(find_checkpoint(out_).path, out_ / "checkpoint-epoch-005.pt");
  EXPECT_EQ(train(settings_, dataset_, stop_).epochs, 6);
  const Checkpoint end = load_checkpoint(out_ / kCheckpointName);
  EXPECT_EQ(end.net, whole);
  EXPECT_EQ(end.progress.metrics.size(), 6U);
}

TEST_F(Checkpoints, AllDamagedAreToldInASentence) {
  train_six();
  for (const auto& path : CheckpointFolder(out_).all()) cut(path);
  const std::string error = error_of([&] { train(settings_, dataset_, stop_); });
  EXPECT_EQ(error.find((out_ / kCheckpointName).string()), 0U) << error;
  EXPECT_NE(error.find("and so are the other checkpoints"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

TEST_F(Checkpoints, EveryFlippedBitIsNoticed) {
  train_six();
  const std::string bytes = read_file(out_ / kCheckpointName);
  for (std::size_t place = 0; place < bytes.size(); place += bytes.size() / 40) {
    std::string damaged = bytes;
    damaged[place] ^= 1;
    write_file_whole(folder_ / "damaged.pt", damaged);
    EXPECT_THROW(load_checkpoint(folder_ / "damaged.pt"), DamagedCheckpoint) << place;
  }
  EXPECT_EQ(read_file(out_ / kCheckpointName), bytes);
}

TEST_F(Checkpoints, AFileOfOtherContentsIsRefused) {
  for (const std::string& contents : {std::string(), std::string("no checkpoint"), std::string(5000, 'x')}) {
    write_file_whole(folder_ / "other.pt", contents);
    EXPECT_NE(error_of([&] { load_checkpoint(folder_ / "other.pt"); }).find("other.pt"), std::string::npos);
  }
}

TEST_F(Checkpoints, ContentsThatNoTrainingWritesAreRefusedThoughTheirSumIsRight) {
  train_six();
  AdamwState optimizer;
  const Checkpoint whole = load_checkpoint(out_ / kCheckpointName, &optimizer);
  const auto refuses = [&](const std::string& what, auto&& change) {
    Checkpoint c = whole;
    AdamwState state = optimizer;
    change(c, state);
    save_checkpoint(folder_ / "crafted.pt", c, state);
    EXPECT_NE(
        error_of([&] { load_checkpoint(folder_ / "crafted.pt", &state); }).find("crafted.pt: holds other"),
        std::string::npos)
        << what;
  };
  using C = Checkpoint&;
  using S = AdamwState&;
  refuses("a row beyond the net's", [](C c, S) { c.sample.indices.back() = 0x7fff; });
  refuses("offsets beyond the rows", [](C c, S) { c.sample.offsets.back() += 1; });
  refuses("offsets that fall", [](C c, S) { std::swap(c.sample.offsets[1], c.sample.offsets[2]); });
  refuses("a position less", [](C c, S) { c.sample.score_cp_stm.pop_back(); });
  refuses("a scale below 1", [](C c, S) { c.scale_cp = -83; });
  refuses("a weight that is no number", [](C c, S) { c.net.feature_bias[3] = NAN; });
  refuses("moments of another net", [](C, S s) { s.moments.pop_back(); });
  refuses("steps below 0", [](C, S s) { s.steps = -1; });
  save_checkpoint(folder_ / "crafted.pt", whole, optimizer);
  EXPECT_EQ(load_checkpoint(folder_ / "crafted.pt").net, whole.net);
}

TEST_F(Checkpoints, AFolderStandsForItsNewestWholeOne) {
  train_six();
  EXPECT_EQ(find_checkpoint(out_).path, out_ / kCheckpointName);
  EXPECT_EQ(find_checkpoint(out_ / kBestCheckpointName).path, out_ / kBestCheckpointName);
  std::filesystem::remove(out_ / kCheckpointName);
  EXPECT_EQ(find_checkpoint(out_).path, out_ / "checkpoint-epoch-006.pt");
  EXPECT_NE(error_of([&] { find_checkpoint(folder_); }).find("train first"), std::string::npos);
}

}  // namespace
}  // namespace farrier
