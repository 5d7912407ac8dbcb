// Our own delays, counted without a lock: how late the referee knew what had arrived in time.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace farrier {

class LatencyHistogram {
 public:
  void add(std::chrono::nanoseconds latency);
  /// "12345 moves, median below 64 us, 99% below 256 us, worst 3.1 ms", then a line for each power of two.
  std::string text() const;
  std::int64_t count() const;

 private:
  /// Cell i counts latencies below 2^i microseconds that are in no cell before.
  std::array<std::atomic<std::int64_t>, 32> cells_{};
  std::atomic<std::int64_t> worst_us_{0};
};

}  // namespace farrier
