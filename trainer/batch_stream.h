// Games into batches: other threads load positions while the training step runs; whoever takes a batch has it encoded.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "trainer/batch_encoder.h"
#include "trainer/dataset.h"
#include "trainer/sparse_batch.h"
#include "trainer/validation.h"

namespace farrier {

struct StreamOptions {
  std::size_t batch = 4096;
  /// Games in shuffled order and positions through a shuffle buffer, both decided by `seed` and `epoch`;
  /// without it, positions come in the order of the records.
  bool shuffled = true;
  std::uint64_t seed = 0;
  int epoch = 0;
  /// Batches left out at the start: where an interrupted epoch goes on.
  std::size_t skip = 0;
  /// Whether a last batch that is not full is given out.
  bool partial = false;
  /// Threads that load, beside the caller's; 0: as many as the calling arena has. Decides nothing but speed.
  int workers = 0;
};

/// The pass over positions that these batches are made of.
PassSettings pass_of(const StreamOptions& options);

/// One pass over a part of a data set. Equal options give equal batches.
class BatchStream {
 public:
  BatchStream(const Dataset& dataset, const Architecture& architecture, DataPart part, StreamOptions options);
  ~BatchStream();
  BatchStream(const BatchStream&) = delete;
  BatchStream& operator=(const BatchStream&) = delete;

  /// The next batch, encoded on the calling arena's threads, since its rows then still lie in their caches; null at the
  /// end of the pass. Throws UserError if a shard can no longer be read.
  std::unique_ptr<SparseBatch> next();
  /// Takes a used batch back, to save allocations.
  void recycle(std::unique_ptr<SparseBatch> batch);
  /// Whether all games of the pass are read: what is left to make are the batches of the shuffle buffer.
  bool all_read();
  /// Whether all batches of the pass are made.
  bool all_loaded();
  /// How long next() has waited so far because no batch was ready.
  double seconds_waited() const { return seconds_waited_; }

 private:
  using Positions = std::vector<PackedPosition>;  // of a batch

  void produce();
  void load(int workers);
  /// Hands a batch out and `positions` back empty; false if the stream is being destroyed.
  bool push(Positions& positions);
  /// Empty if there are no more.
  Positions pop();
  std::unique_ptr<SparseBatch> encoded(const Positions& positions);
  bool has_plenty();
  /// Until so few batches are left that loading should go on.
  void wait_for_room();

  const Dataset& dataset_;
  BatchEncoder encoder_;
  Phases phases_;
  DataPart part_;
  StreamOptions options_;
  std::size_t plenty_;  // as many batches ready: loading may rest
  double seconds_waited_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Positions> ready_;
  std::vector<Positions> spare_;
  std::vector<std::unique_ptr<SparseBatch>> spare_batches_;  // of the calling thread
  std::exception_ptr failure_;                               // written before ended_
  bool all_read_ = false;
  bool ended_ = false;
  bool stopping_ = false;
  std::thread producer_;
};

}  // namespace farrier
