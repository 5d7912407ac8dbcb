#include "trainer/batch_stream.h"

#include <algorithm>
#include <chrono>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace farrier {
namespace {

/// What should wait for the training step: so many batches, and enough small ones to bridge the loading of a few blocks.
constexpr std::size_t kBatchesReady = 4;
constexpr std::size_t kPositionsReady = 98304;
constexpr std::size_t kPositionsPerTask = 512;

}  // namespace

PassSettings pass_of(const StreamOptions& options) {
  PassSettings pass;
  pass.shuffled = options.shuffled;
  pass.seed = options.seed;
  pass.epoch = options.epoch;
  return pass;
}

BatchStream::BatchStream(const Dataset& dataset, const Architecture& architecture, DataPart part,
                         StreamOptions options)
    : dataset_(dataset),
      encoder_(dataset.variant(), architecture),
      phases_(dataset.variant()),
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
  Positions positions = pop();
  if (positions.empty()) return nullptr;
  auto batch = encoded(positions);
  positions.clear();
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(positions));
  return batch;
}

BatchStream::Positions BatchStream::pop() {
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
    return {};
  }
  Positions positions = std::move(ready_.front());
  ready_.pop_front();
  const bool room = ready_.size() == plenty_ / 2;
  lock.unlock();
  if (room) changed_.notify_all();
  return positions;
}

std::unique_ptr<SparseBatch> BatchStream::encoded(const Positions& positions) {
  auto batch = std::make_unique<SparseBatch>();
  if (!spare_batches_.empty()) {
    batch = std::move(spare_batches_.back());
    spare_batches_.pop_back();
  }
  encoder_.prepare(positions, *batch);
  if (options_.workers == 1) {
    encoder_.fill(positions, 0, positions.size(), *batch);
  } else {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, positions.size(), kPositionsPerTask),
                      [&](const tbb::blocked_range<std::size_t>& share) {
                        encoder_.fill(positions, share.begin(), share.end(), *batch);
                      });
  }
  if (part_ == DataPart::Validation)
    for (const PackedPosition& p : positions)
      batch->phase.push_back(static_cast<std::uint8_t>(phases_.of(p.on_board(), p.in_hand)));
  return batch;
}

void BatchStream::recycle(std::unique_ptr<SparseBatch> batch) { spare_batches_.push_back(std::move(batch)); }

bool BatchStream::all_read() {
  const std::lock_guard lock(mutex_);
  return all_read_ || ended_;
}

bool BatchStream::all_loaded() {
  const std::lock_guard lock(mutex_);
  return ended_;
}

bool BatchStream::push(Positions& positions) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return false;
    ready_.push_back(std::move(positions));
    positions.clear();
    if (!spare_.empty()) {
      positions.swap(spare_.back());
      spare_.pop_back();
    }
  }
  positions.reserve(options_.batch);
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
      const auto allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
      const int threads = std::min(options_.workers + 1, static_cast<int>(allowed));
      tbb::task_arena arena(threads, 1, tbb::task_arena::priority::high);
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
  PassSettings pass = pass_of(options_);
  pass.workers = workers;
  Positions positions;
  positions.reserve(options_.batch);
  std::size_t to_skip = options_.skip;
  bool going = true;
  const auto take = [&](const PackedPosition& position) {
    positions.push_back(position);
    if (positions.size() < options_.batch) return true;
    if (to_skip == 0) return going = push(positions);
    --to_skip;
    positions.clear();
    return true;
  };
  const auto note_all_read = [this] {
    const std::lock_guard lock(mutex_);
    all_read_ = true;
  };
  dataset_.stream(part_, pass, take,
                  {{[this] { return has_plenty(); }, [this] { wait_for_room(); }}, note_all_read});
  if (going && options_.partial && !positions.empty() && to_skip == 0) push(positions);
}

}  // namespace farrier
