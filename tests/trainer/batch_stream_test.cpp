// Batches of a pass: the same ones whatever loads them, and never more in memory than the step can soon use.
#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <chrono>
#include <thread>

#include "tests/trainer/training_testing.h"
#include "trainer/batch_stream.h"

namespace farrier {
namespace {

/// All batches of a pass, one after the other.
std::vector<SparseBatch> batches_of(const Dataset& dataset, StreamOptions options) {
  std::vector<SparseBatch> all;
  BatchStream stream(dataset, Architecture(), DataPart::Training, options);
  while (auto batch = stream.next()) {
    all.push_back(*batch);
    stream.recycle(std::move(batch));
  }
  return all;
}

void expect_equal(const std::vector<SparseBatch>& a, const std::vector<SparseBatch>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].indices, b[i].indices) << i;
    EXPECT_EQ(a[i].offsets, b[i].offsets) << i;
    EXPECT_EQ(a[i].score_cp_stm, b[i].score_cp_stm) << i;
    EXPECT_EQ(a[i].result_stm, b[i].result_stm) << i;
  }
}

TEST(BatchStream, GivesTheSameBatchesWhateverTheNumberOfWorkers) {
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 600);
  StreamOptions options;
  options.batch = 64;
  options.partial = true;
  options.workers = 1;
  const auto one = batches_of(dataset, options);
  ASSERT_GT(one.size(), 20U);
  for (int workers : {0, 2, 3}) {
    options.workers = workers;
    expect_equal(batches_of(dataset, options), one);
  }
}

TEST(BatchStream, GoesOnAfterSkippedBatchesWithTheSameOnes) {
  const Dataset dataset = random_dataset(Variant::PocketKnight, 300);
  StreamOptions options;
  options.batch = 50;
  auto whole = batches_of(dataset, options);
  ASSERT_GT(whole.size(), 12U);
  options.skip = 10;
  whole.erase(whole.begin(), whole.begin() + 10);
  expect_equal(batches_of(dataset, options), whole);
}

TEST(BatchStream, CountsTheWaitForTheFirstBatchAndNoneOnceAllIsLoaded) {
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 200);
  StreamOptions options;
  options.batch = 256;
  // A busy machine may let the loading thread run before this one asks, but not every time.
  double first = 0;
  for (int tries = 0; tries < 50 && first == 0; ++tries) {
    BatchStream stream(dataset, Architecture(), DataPart::Training, options);
    auto batch = stream.next();
    first = stream.seconds_waited();
    while (!stream.all_loaded()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    int batches = 0;
    while ((batch = stream.next())) ++batches;
    EXPECT_GT(batches, 5);
    EXPECT_EQ(stream.seconds_waited(), first);
  }
  EXPECT_GT(first, 0);
}

TEST(BatchStream, LoadsNoMoreThanTheStepCanSoonUse) {
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 7000);
  ASSERT_GT(dataset.positions(DataPart::Training), 240'000);
  for (int workers : {1, 2}) {
    StreamOptions options;
    options.batch = 1024;
    options.shuffled = false;
    options.workers = workers;
    BatchStream stream(dataset, Architecture(), DataPart::Training, options);
    stream.next();
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    EXPECT_FALSE(stream.all_loaded()) << workers;
    while (stream.next()) {
    }
    EXPECT_TRUE(stream.all_loaded());
  }
}

TEST(BatchStream, CanBeLeftInTheMiddle) {
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 600);
  for (int workers : {1, 3}) {
    StreamOptions options;
    options.batch = 16;
    options.workers = workers;
    BatchStream stream(dataset, Architecture(), DataPart::Training, options);
    EXPECT_EQ(stream.next()->size(), 16U);
  }
}

}  // namespace
}  // namespace farrier
