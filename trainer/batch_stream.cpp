#include "trainer/batch_stream.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/base/rng.h"
#include "engine/chess/make_move.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// Batches that may wait for the training step.
constexpr std::size_t kQueueLength = 4;
/// Positions in the shuffle buffer: some thousands of games, in 30 MB.
constexpr std::size_t kShufflePositions = 1 << 17;

/// A position as the shuffle buffer keeps it.
struct EncodedPosition {
  std::array<FeatureList, 2> views;  // side to move, other
  std::int16_t score_cp_stm = 0;
  std::int8_t result_stm = 0;
};

/// Calls `visit(position)` for every kept position of the game until it returns false; false if it did.
template <VariantRules R, class Visit>
bool for_each_position(const Dataset& dataset, const StoredGame& game, EncodedPosition& position,
                       Visit&& visit) {
  Board board = dataset.start(game);
  std::uint32_t left = game.kept;
  for (std::size_t ply = 0; left > 0; ++ply) {
    if (dataset.kept(game, ply)) {
      --left;
      const Color stm = board.side_to_move;
      position.views[0].clear();
      position.views[1].clear();
      active_features<R>(board, stm, position.views[0]);
      active_features<R>(board, ~stm, position.views[1]);
      position.score_cp_stm = static_cast<std::int16_t>(dataset.score_cp_stm(game, ply));
      position.result_stm =
          static_cast<std::int8_t>(stm == Color::White ? game.result_white : -game.result_white);
      if (!visit(position)) return false;
    }
    make_move<R>(board, dataset.move(game, ply));
  }
  return true;
}

void append(SparseBatch& batch, const EncodedPosition& position) {
  for (const FeatureList& view : position.views) batch.add_view(view);
  batch.add_labels(static_cast<float>(position.score_cp_stm),
                   static_cast<float>(position.result_stm + 1) / 2);
}

/// An order of n things, shuffled (Fisher and Yates).
std::vector<std::size_t> shuffled_order(std::size_t n, Rng& rng) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i)
    std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
  return order;
}

}  // namespace

BatchStream::BatchStream(const Dataset& dataset, DataPart part, StreamOptions options)
    : dataset_(dataset), part_(part), options_(options), producer_([this] { produce(); }) {}

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
  if (ready_.empty()) return nullptr;
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
  const std::vector<StoredGame>& games = dataset_.part(part_);
  Rng rng(derive_seed(options_.seed, 0xBA7C4, static_cast<std::uint64_t>(options_.epoch)));
  std::vector<EncodedPosition> buffer;
  if (options_.shuffled)
    buffer.reserve(std::min(kShufflePositions, static_cast<std::size_t>(dataset_.positions(part_))));

  auto batch = empty_batch();
  std::size_t to_skip = options_.skip;
  const auto emit = [&](const EncodedPosition& position) {
    append(*batch, position);
    if (batch->size() < options_.batch) return true;
    if (to_skip > 0) {
      --to_skip;
      batch->clear();
      return true;
    }
    const bool going = push(std::move(batch));
    batch = empty_batch();
    return going;
  };
  const auto take = [&](EncodedPosition& position) {
    if (!options_.shuffled) return emit(position);
    if (buffer.size() < kShufflePositions) return buffer.push_back(position), true;
    std::swap(buffer[rng.below(static_cast<std::uint32_t>(buffer.size()))], position);
    return emit(position);
  };

  std::vector<std::size_t> order(games.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options_.shuffled) order = shuffled_order(games.size(), rng);
  bool going = true;
  EncodedPosition position;
  with_rules(dataset_.variant(), [&]<VariantRules R>() {
    for (std::size_t i = 0; going && i < order.size(); ++i)
      going = for_each_position<R>(dataset_, games[order[i]], position, take);
  });
  if (going) {
    const auto rest = shuffled_order(buffer.size(), rng);
    for (std::size_t i = 0; going && i < rest.size(); ++i) going = emit(buffer[rest[i]]);
  }
  if (going && options_.partial && batch->size() > 0 && to_skip == 0) push(std::move(batch));
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

}  // namespace farrier
