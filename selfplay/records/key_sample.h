// Counts distinct positions in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace farrier {

/// A set of 64-bit position keys: all of them up to a bound, beyond it a random half, then a quarter, ... of all keys
/// (those whose hash begins with so many zeros). What it holds depends on the keys alone, not on their order.
class KeySample {
 public:
  static constexpr std::size_t kDefaultBound = std::size_t{1} << 22;

  explicit KeySample(std::size_t bound = kDefaultBound);

  void insert(std::uint64_t key);
  /// How many distinct keys were inserted: exact, or an estimate with a relative error near 1 / sqrt(bound).
  std::uint64_t distinct() const { return static_cast<std::uint64_t>(size_) << level_; }
  bool exact() const { return level_ == 0; }
  /// The share of this set's keys that `other` has, too.
  double share_in(const KeySample& other) const;

 private:
  bool sampled(std::uint64_t hash, int level) const { return level == 0 || hash >> (64 - level) == 0; }
  bool contains(std::uint64_t hash) const;
  void place(std::uint64_t hash);
  void rebuild(std::size_t slots);

  std::size_t bound_;
  std::size_t size_ = 0;
  int level_ = 0;
  std::vector<std::uint64_t> slots_;  // open addressing, a power of two of them; 0 is empty
};

}  // namespace farrier
