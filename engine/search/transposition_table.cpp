#include "engine/search/transposition_table.h"

#include <algorithm>

namespace farrier {
namespace {

// Bits 0-15 move, 16-31 score, 32-47 static evaluation, 48-55 depth, 56-57 bound, 58-63 generation.
std::uint64_t pack(const TableEntry& e, std::uint8_t generation) {
  const auto low16 = [](Score s) { return std::uint64_t{static_cast<std::uint16_t>(s)}; };
  return std::uint64_t{e.move.bits()} | low16(e.score) << 16 | low16(e.static_eval) << 32 |
         std::uint64_t{static_cast<std::uint8_t>(e.depth)} << 48 |
         std::uint64_t{static_cast<std::uint8_t>(e.bound)} << 56 | std::uint64_t{generation} << 58;
}

TableEntry unpack(std::uint64_t data) {
  return {Move::from_bits(static_cast<std::uint16_t>(data)), static_cast<std::int16_t>(data >> 16),
          static_cast<std::int16_t>(data >> 32), static_cast<int>(data >> 48 & 255),
          static_cast<Bound>(data >> 56 & 3)};
}

int generation_of(std::uint64_t data) { return static_cast<int>(data >> 58); }

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

TranspositionTable::TranspositionTable(std::size_t mib)
    : count_(std::max<std::size_t>(mib, 1) * 1024 * 1024 / sizeof(Bucket)), buckets_(new Bucket[count_]) {}

std::optional<TableEntry> TranspositionTable::probe(std::uint64_t key) const {
  for (const Slot& slot : bucket(key).slots) {
    const std::uint64_t data = slot.data.load(kRelaxed);
    if ((slot.check.load(kRelaxed) ^ data) == key && data != 0) return unpack(data);
  }
  return std::nullopt;
}

void TranspositionTable::store(std::uint64_t key, const TableEntry& entry) {
  Slot* victim = nullptr;
  int victim_worth = 0;
  for (Slot& slot : bucket(key).slots) {
    const std::uint64_t data = slot.data.load(kRelaxed);
    if ((slot.check.load(kRelaxed) ^ data) == key || data == 0) {
      victim = &slot;
      break;
    }
    // Deep entries are worth keeping, entries of earlier searches less so for each search since.
    const int age = (generation_ - generation_of(data)) & 63;
    const int worth = static_cast<int>(data >> 48 & 255) - 4 * age;
    if (victim == nullptr || worth < victim_worth) {
      victim = &slot;
      victim_worth = worth;
    }
  }
  TableEntry kept = entry;
  const std::uint64_t old = victim->data.load(kRelaxed);
  if (kept.move.is_none() && (victim->check.load(kRelaxed) ^ old) == key) kept.move = unpack(old).move;
  const std::uint64_t data = pack(kept, generation_);
  victim->data.store(data, kRelaxed);
  victim->check.store(key ^ data, kRelaxed);
}

void TranspositionTable::clear() {
  for (std::size_t i = 0; i < count_; ++i)
    for (Slot& slot : buckets_[i].slots) {
      slot.data.store(0, kRelaxed);
      slot.check.store(0, kRelaxed);
    }
  generation_ = 0;
}

int TranspositionTable::permille_full() const {
  int used = 0;
  const std::size_t sample = std::min<std::size_t>(count_, 250);
  for (std::size_t i = 0; i < sample; ++i)
    for (const Slot& slot : buckets_[i].slots) {
      const std::uint64_t data = slot.data.load(kRelaxed);
      used += data != 0 && generation_of(data) == generation_;
    }
  return static_cast<int>(static_cast<std::size_t>(used) * 1000 / (4 * sample));
}

}  // namespace farrier
