#include "selfplay/records/key_sample.h"

#include <algorithm>
#include <utility>

#include "engine/base/rng.h"

namespace farrier {
namespace {

/// Scatters the key, and never gives 0, which marks an empty slot.
std::uint64_t hash_of(std::uint64_t key) { return std::max<std::uint64_t>(mix64(key), 1); }

}  // namespace

KeySample::KeySample(std::size_t bound) : bound_(bound), slots_(1024) {}

void KeySample::insert(std::uint64_t key) {
  const std::uint64_t hash = hash_of(key);
  if (!sampled(hash, level_) || contains(hash)) return;
  place(hash);
  ++size_;
  if (2 * size_ > slots_.size() && size_ <= bound_) rebuild(2 * slots_.size());
  while (size_ > bound_) {
    ++level_;
    rebuild(slots_.size());
  }
}

double KeySample::share_in(const KeySample& other) const {
  const int level = std::max(level_, other.level_);
  std::uint64_t here = 0, shared = 0;
  for (const std::uint64_t hash : slots_) {
    if (hash == 0 || !sampled(hash, level)) continue;
    ++here;
    shared += other.contains(hash);
  }
  return here == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(here);
}

bool KeySample::contains(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask; slots_[i] != 0; i = (i + 1) & mask)
    if (slots_[i] == hash) return true;
  return false;
}

void KeySample::place(std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  while (slots_[i] != 0) i = (i + 1) & mask;
  slots_[i] = hash;
}

void KeySample::rebuild(std::size_t slots) {
  std::vector<std::uint64_t> old(slots);
  std::swap(old, slots_);
  size_ = 0;
  for (const std::uint64_t hash : old) {
    if (hash == 0 || !sampled(hash, level_)) continue;
    place(hash);
    ++size_;
  }
}

}  // namespace farrier
