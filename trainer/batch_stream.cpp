#include "trainer/batch_stream.h"

#include "trainer/validation.h"

namespace farrier {
namespace {

/// Batches that may wait for the training step.
constexpr std::size_t kQueueLength = 4;

}  // namespace

BatchStream::BatchStream(const Dataset& dataset, const Architecture& architecture, DataPart part,
                         StreamOptions options)
    : dataset_(dataset),
      encoder_(dataset.variant(), architecture),
      part_(part),
      options_(options),
      producer_([this] { produce(); }) {}

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
  changed_.wait(lock, [this] { return !ready_.empty() || ended_; });
  if (ready_.empty()) {
    if (failure_) std::rethrow_exception(failure_);
    return nullptr;
  }
  auto batch = std::move(ready_.front());
  ready_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return batch;
}

void BatchStream::recycle(std::unique_ptr<SparseBatch> batch) {
  batch->clear();
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(batch));
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
  changed_.wait(lock, [this] { return ready_.size() < kQueueLength || stopping_; });
  if (stopping_) return false;
  ready_.push_back(std::move(batch));
  lock.unlock();
  changed_.notify_all();
  return true;
}

void BatchStream::produce() {
  PassSettings pass;
  pass.shuffled = options_.shuffled;
  pass.seed = options_.seed;
  pass.epoch = options_.epoch;
  const Phases phases(dataset_.variant());
  auto batch = empty_batch();
  std::size_t to_skip = options_.skip;
  bool going = true;
  try {
    dataset_.stream(part_, pass, [&](const EncodedPosition& position) {
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
    });
    if (going && options_.partial && batch->size() > 0 && to_skip == 0) push(std::move(batch));
  } catch (...) {
    failure_ = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

}  // namespace farrier
