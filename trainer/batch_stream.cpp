#include "trainer/batch_stream.h"

#include <algorithm>
#include <chrono>

#include <oneapi/tbb/task_arena.h>

#include "trainer/validation.h"

namespace farrier {
namespace {

/// What should wait for the training step: so many batches, and enough small ones to bridge the loading of a few blocks.
constexpr std::size_t kBatchesReady = 4;
constexpr std::size_t kPositionsReady = 65536;

}  // namespace

BatchStream::BatchStream(const Dataset& dataset, const Architecture& architecture, DataPart part,
                         StreamOptions options)
    : dataset_(dataset),
      encoder_(dataset.variant(), architecture),
      part_(part),
      options_(options),
      plenty_(std::max(kBatchesReady, kPositionsReady / options.batch)) {
  if (options_.workers == 0) options_.workers = tbb::this_task_arena::max_concurrency();
  producer_ = std::thread([this] { produce(); });
}

BatchStream::~BatchStream() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  producer_.join();
}

std::unique_ptr<SparseBatch> BatchStream::next() {
  std::unique_lock lock(mutex_);
  const auto can_go = [this] { return !ready_.empty() || ended_; };
  if (!can_go()) {
    const auto start = std::chrono::steady_clock::now();
    changed_.wait(lock, can_go);
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    seconds_waited_ += waited.count();
  }
  if (ready_.empty()) {
    if (failure_) std::rethrow_exception(failure_);
    return nullptr;
  }
  auto batch = std::move(ready_.front());
  ready_.pop_front();
  const bool room = ready_.size() == plenty_ / 2;
  lock.unlock();
  if (room) changed_.notify_all();
  return batch;
}

void BatchStream::recycle(std::unique_ptr<SparseBatch> batch) {
  batch->clear();
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(batch));
}

bool BatchStream::all_loaded() {
  const std::lock_guard lock(mutex_);
  return ended_;
}

std::unique_ptr<SparseBatch> BatchStream::empty_batch() {
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return std::make_unique<SparseBatch>();
  auto batch = std::move(spare_.back());
  spare_.pop_back();
  return batch;
}

bool BatchStream::push(std::unique_ptr<SparseBatch> batch) {
  std::unique_lock lock(mutex_);
  if (stopping_) return false;
  ready_.push_back(std::move(batch));
  lock.unlock();
  changed_.notify_all();
  return true;
}

bool BatchStream::has_plenty() {
  const std::lock_guard lock(mutex_);
  return ready_.size() >= plenty_ && !stopping_;
}

void BatchStream::wait_for_room() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ready_.size() <= plenty_ / 2 || stopping_; });
}

void BatchStream::produce() {
  try {
    if (options_.workers == 1) {
      load(1);
    } else {
      // Before the step's tasks, and on one thread more than there are cores: while the step waits for its next batch, or
      // soon would, loading shall have the larger share of them.
      tbb::task_arena arena(options_.workers + 1, 1, tbb::task_arena::priority::high);
      arena.execute([this] { load(0); });
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

void BatchStream::load(int workers) {
  PassSettings pass;
  pass.shuffled = options_.shuffled;
  pass.seed = options_.seed;
  pass.epoch = options_.epoch;
  pass.workers = workers;
  const Phases phases(dataset_.variant());
  auto batch = empty_batch();
  std::size_t to_skip = options_.skip;
  bool going = true;
  const auto take = [&](const EncodedPosition& position) {
    encoder_.append(position, *batch);
    if (part_ == DataPart::Validation)
      batch->phase.push_back(static_cast<std::uint8_t>(phases.of(position.inputs)));
    if (batch->size() < options_.batch) return true;
    if (to_skip > 0) {
      --to_skip;
      batch->clear();
      return true;
    }
    going = push(std::move(batch));
    batch = empty_batch();
    return going;
  };
  dataset_.stream(part_, pass, take, {[this] { return has_plenty(); }, [this] { wait_for_room(); }});
  if (going && options_.partial && batch->size() > 0 && to_skip == 0) push(std::move(batch));
}

}  // namespace farrier
