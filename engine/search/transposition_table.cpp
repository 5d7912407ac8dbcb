#include "engine/search/transposition_table.h"

#include <algorithm>
#include <new>
#include <string>

#include "engine/base/error.h"

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

constexpr std::size_t kMib = std::size_t{1} << 20;

std::uint64_t load(std::uint64_t& number) { return std::atomic_ref(number).load(std::memory_order_relaxed); }
void store_to(std::uint64_t& number, std::uint64_t value) {
  std::atomic_ref(number).store(value, std::memory_order_relaxed);
}

/// Memory for the table, if it leaves the system alive: the kernel promises more than there is and kills later.
PageMemory table_memory(std::size_t mib) {
  const std::size_t available_mib = available_memory() / kMib;
  try {
    if (mib <= available_mib) return PageMemory(mib * kMib);
  } catch (const std::bad_alloc&) {
  }
  throw UserError("Hash", "a table of " + std::to_string(mib) +
                              " MiB does not fit into the memory, which has " +
                              std::to_string(available_mib) + " MiB free; set a smaller one");
}

}  // namespace

TranspositionTable::TranspositionTable(std::size_t mib)
    : memory_(table_memory(std::max<std::size_t>(mib, 1))),
      count_(std::max<std::size_t>(mib, 1) * kMib / sizeof(Bucket)) {
  clear();  // the search shall not wait for its pages
}

std::optional<TableEntry> TranspositionTable::probe(std::uint64_t key) const {
  for (Slot& slot : bucket(key).slots) {
    const std::uint64_t data = load(slot.data);
    if ((load(slot.check) ^ data) == key && data != 0) return unpack(data);
  }
  return std::nullopt;
}

void TranspositionTable::store(std::uint64_t key, const TableEntry& entry) {
  Slot* victim = nullptr;
  int victim_worth = 0;
  for (Slot& slot : bucket(key).slots) {
    const std::uint64_t data = load(slot.data);
    if ((load(slot.check) ^ data) == key || data == 0) {
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
  const std::uint64_t old = load(victim->data);
  if (kept.move.is_none() && (load(victim->check) ^ old) == key) kept.move = unpack(old).move;
  const std::uint64_t data = pack(kept, generation_);
  store_to(victim->data, data);
  store_to(victim->check, key ^ data);
}

void TranspositionTable::clear() {
  memory_.clear();
  generation_ = 0;
}

int TranspositionTable::permille_full() const {
  int used = 0;
  const std::size_t sample = std::min<std::size_t>(count_, 250);
  for (std::size_t i = 0; i < sample; ++i)
    for (Slot& slot : buckets()[i].slots) {
      const std::uint64_t data = load(slot.data);
      used += data != 0 && generation_of(data) == generation_;
    }
  return static_cast<int>(static_cast<std::size_t>(used) * 1000 / (4 * sample));
}

}  // namespace farrier
