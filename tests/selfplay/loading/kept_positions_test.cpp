// Positions that the first look at the data keeps: the same as those that the shards give, wherever there is room for them.
#include "selfplay/loading/kept_positions.h"

#include <sys/resource.h>

#include <csignal>

#include "tests/selfplay/loading/loading_testing.h"

namespace farrier {
namespace {

class KeptShards : public LoadingShards {};

/// Expects every pass with these kept positions to be the pass without them.
void expect_same_with(const KeptPositions& kept, const DataMix& mix) {
  PassSettings settings;
  settings.split = kept.split();
  for (const DataPart part : {DataPart::Training, DataPart::Validation, DataPart::All})
    for (const bool shuffled : {false, true}) {
      settings.part = part;
      settings.shuffled = shuffled;
      settings.kept = nullptr;
      const std::vector<Row> expected = rows_of(mix, settings);
      EXPECT_GT(expected.size(), 1000u);
      settings.kept = &kept;
      for (const int workers : {1, 3}) {
        settings.workers = workers;
        ASSERT_EQ(rows_of(mix, settings), expected);
      }
    }
}

TEST_F(KeptShards, ComeTheSameFromMemoryAndAFileAsFromTheirGames) {
  mix_of(1500);
  const DataMix mix(Variant::Crazyhouse, {{{folder_}, 1.5}});
  constexpr std::size_t kAll = std::size_t{1} << 30, kSome = std::size_t{1} << 20;
  for (const std::size_t memory : {kAll, kSome, std::size_t{0}}) {
    for (const std::filesystem::path& scratch : {std::filesystem::path(), folder_}) {
      KeptPositions kept({}, {0.2}, memory, scratch);
      inspect_data(mix, kept, 2, [](int, int) {});
      EXPECT_LE(kept.bytes_in_memory(), memory);
      EXPECT_GE(kept.bytes_in_memory(), std::min(memory, kSome) / 2);
      EXPECT_EQ(kept.bytes_in_file() > 0, memory != kAll && !scratch.empty());
      EXPECT_EQ(kept.has_all(), memory == kAll || !scratch.empty());
      expect_same_with(kept, mix);
    }
  }
}

TEST_F(KeptShards, AreKeptOnceWhateverTheirWeight) {
  mix_of(250);  // one block
  for (const int workers : {1, 4}) {
    KeptPositions once({}, {0.2}, 0, folder_), often({}, {0.2}, 0, folder_);
    inspect_data(DataMix(Variant::Crazyhouse, {{{folder_}, 1}}), once, workers, [](int, int) {});
    inspect_data(DataMix(Variant::Crazyhouse, {{{folder_}, 8}}), often, workers, [](int, int) {});
    EXPECT_GT(once.bytes_in_file(), 0u);
    EXPECT_EQ(often.bytes_in_file(), once.bytes_in_file());
    EXPECT_TRUE(often.has_all());
  }
}

TEST_F(KeptShards, AreNotAskedAgainForPositionsThatAreKept) {
  mix_of(700);
  const DataMix mix(Variant::Crazyhouse, {{{folder_}, 1}});
  const auto scratch = make_test_folder();
  for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 30}) {
    KeptPositions kept({}, {0.2}, memory, scratch);
    inspect_data(mix, kept, 1, [](int, int) {});
    EXPECT_TRUE(std::filesystem::is_empty(scratch)) << "the file has no name";
    PassSettings settings;
    settings.split = kept.split();
    settings.part = DataPart::Training;
    const std::vector<Row> rows = rows_of(mix, settings);
    settings.kept = &kept;
    if (memory > 0) std::filesystem::remove_all(folder_);
    EXPECT_EQ(rows_of(mix, settings), rows);
  }
  std::filesystem::remove_all(scratch);
}

TEST_F(KeptShards, AreReadAgainWhereTheScratchFolderTakesNoFile) {
  const DataMix mix = mix_of(1500);
  KeptPositions kept({}, {0.2}, 0, folder_ / "missing");
  inspect_data(mix, kept, 2, [](int, int) {});
  EXPECT_EQ(kept.bytes_in_file(), 0u);
  expect_same_with(kept, mix);
}

TEST_F(KeptShards, AreReadAgainWhereTheDiskIsFull) {
  const DataMix mix = mix_of(1500);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = rlim_t{1} << 20;
  setrlimit(RLIMIT_FSIZE, &small);
  KeptPositions kept({}, {0.2}, 0, folder_);
  inspect_data(mix, kept, 2, [](int, int) {});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(kept.has_all());
  EXPECT_EQ(kept.bytes_in_file(), 0u) << "what was written makes room";
  expect_same_with(kept, mix);
}

}  // namespace
}  // namespace farrier
