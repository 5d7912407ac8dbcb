#include "trainer/tensorboard_events.h"

#include <array>
#include <chrono>
#include <thread>

#include "engine/base/files.h"
#include "tests/support/event_file_reader.h"
#include "tests/trainer/training_testing.h"
#include "trainer/checkpoint.h"

namespace farrier {
namespace {

TEST(Crc32c, IsThatOfRfc3720) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  std::string rising, falling;
  for (int i = 0; i < 32; ++i) {
    rising += static_cast<char>(i);
    falling += static_cast<char>(31 - i);
  }
  EXPECT_EQ(crc32c(rising), 0x46DD794EU);
  EXPECT_EQ(crc32c(falling), 0x113FDB5CU);
  EXPECT_EQ(crc32c_bit_by_bit(rising), 0x46DD794EU);
}

class EventFiles : public FolderTest {
 protected:
  std::filesystem::path file() const { return folder_ / kEventFileName; }
  static void add(EventFile& out, std::int64_t step, float value) {
    const std::array scalars{Scalar{"group/a", value}, Scalar{"group/b", -value}};
    out.add(1.5e9 + static_cast<double>(step), step, scalars);
  }
};

TEST_F(EventFiles, BeginAsTensorFlowsDo) {
  // The length of the first record, 24, and its masked CRC, as in every event file that TensorFlow has written.
  const std::string header = event_file_header(1.0);
  EXPECT_EQ(header.substr(0, 12), std::string("\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22", 12));
  EXPECT_NE(header.find("brain.Event:2"), std::string::npos);
}

TEST_F(EventFiles, AReaderFindsStepsTimesAndScalars) {
  EventFile out(file(), 0);
  EXPECT_TRUE(out.is_new());
  add(out, 1, 0.25F);
  add(out, 300, 0.125F);
  add(out, 5'000'000'000, 1e-30F);
  EXPECT_EQ(out.sync(), static_cast<std::int64_t>(std::filesystem::file_size(file())));
  const auto events = EventFileReader::read(file());
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0].file_version, "brain.Event:2");
  EXPECT_EQ(events[2].step, 300);
  EXPECT_EQ(events[2].wall_time, 1.5e9 + 300);
  EXPECT_EQ(events[2].scalars, (std::map<std::string, float>{{"group/a", 0.125F}, {"group/b", -0.125F}}));
  EXPECT_EQ(events[3].step, 5'000'000'000);
  EXPECT_EQ(events[3].scalars.at("group/a"), 1e-30F);
}

TEST_F(EventFiles, WhatWasWrittenAfterTheCheckpointIsCut) {
  std::int64_t kept = 0;
  {
    EventFile out(file(), 0);
    add(out, 1, 1);
    kept = out.sync();
    add(out, 2, 2);
  }
  {
    EventFile out(file(), kept);
    EXPECT_FALSE(out.is_new());
    add(out, 2, 20);
  }
  const auto events = EventFileReader::read(file());
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[2].scalars.at("group/a"), 20);
}

TEST_F(EventFiles, ALostOrShortenedFileBeginsAnew) {
  { EventFile out(file(), 0); }
  const auto header = static_cast<std::int64_t>(std::filesystem::file_size(file()));
  EventFile out(file(), header + 100);
  EXPECT_TRUE(out.is_new());
  EXPECT_EQ(EventFileReader::read(file()).size(), 1U);
}

TEST_F(EventFiles, AFolderThatIsNoneIsToldInASentence) {
  const std::string error = error_of([&] { EventFile(folder_ / "nowhere" / kEventFileName, 0); });
  EXPECT_NE(error.find("nowhere"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

/// What TensorBoard plots: a value by tag and step. Throws if a step comes twice.
std::map<std::string, std::map<std::int64_t, float>> plots(const std::filesystem::path& folder) {
  std::map<std::string, std::map<std::int64_t, float>> curves;
  for (const ReadEvent& event : EventFileReader::read(folder / kEventFileName))
    for (const auto& [tag, value] : event.scalars)
      if (!curves[tag].emplace(event.step, value).second) throw std::runtime_error("twice: " + tag);
  // Rates depend on the machine.
  curves.erase("epoch/seconds");
  curves.erase("epoch/positions_per_second");
  curves.erase("epoch/data_wait_share");
  return curves;
}

TEST_F(EventFiles, OfABrokenTrainingHoldEveryStepOnce) {
  const Dataset dataset = random_dataset(Variant::Knightmate, 150);
  std::atomic<bool> stop{false};
  const TrainSummary summary = train(small_settings(Variant::Knightmate, folder_ / "whole"), dataset, stop);
  const auto whole = plots(folder_ / "whole");
  EXPECT_EQ(whole.at("validation/loss").size(), 3U);
  EXPECT_EQ(whole.at("validation/loss").begin()->first * 3, whole.at("validation/loss").rbegin()->first);
  EXPECT_EQ(whole.at("train/loss").size(), static_cast<std::size_t>(3 * (summary.training_positions / 128)));
  EXPECT_EQ(whole.at("train/lr").begin()->first, 1);
  EXPECT_TRUE(whole.contains("validation/sign_accuracy"));
  EXPECT_TRUE(whole.contains("phase result_loss/29-32 men"));

  bool finished = false;
  int sessions = 0;
  while (!finished) {
    ASSERT_LT(++sessions, 1000);
    std::atomic<bool> stop_soon{false};
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10 + sessions));
      stop_soon = true;
    });
    finished = train(small_settings(Variant::Knightmate, folder_ / "broken"), dataset, stop_soon).finished;
    // As a kill leaves it: steps that no checkpoint knows, and half a record.
    const std::string bytes = read_file(folder_ / "broken" / kEventFileName);
    if (!finished)
      write_file_whole(folder_ / "broken" / kEventFileName, bytes + bytes.substr(0, bytes.size() / 2 + 3));
  }
  EXPECT_GT(sessions, 1);
  EXPECT_EQ(plots(folder_ / "broken"), whole);
}

TEST_F(EventFiles, ThatWereRemovedGetTheFinishedEpochsAgain) {
  const Dataset dataset = random_dataset(Variant::Chess, 60);
  std::atomic<bool> stop{false};
  train(small_settings(Variant::Chess, folder_), dataset, stop);
  const auto before = plots(folder_);
  std::filesystem::remove(file());
  train(small_settings(Variant::Chess, folder_), dataset, stop);
  const auto after = plots(folder_);
  EXPECT_EQ(after.at("validation/loss"), before.at("validation/loss"));
  EXPECT_EQ(after.at("validation/loss").size(), 3U);
}

}  // namespace
}  // namespace farrier
