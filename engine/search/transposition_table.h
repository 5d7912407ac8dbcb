// What earlier searches learnt about positions, shared by all threads without locks.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "engine/base/page_memory.h"
#include "engine/chess/move.h"
#include "engine/search/score.h"

namespace farrier {

enum class Bound : std::uint8_t { None, Upper, Lower, Exact };

struct TableEntry {
  Move move;
  Score score = 0;        // as seen from the stored position: mates counted from it, not from the root
  Score static_eval = 0;  // from the side to move; kNoEval if it was in check
  int depth = 0;
  Bound bound = Bound::None;

  /// Whether `from_root`, this entry's score seen from the root, settles a search of (alpha, beta).
  bool settles(Score from_root, Score alpha, Score beta) const {
    return bound == Bound::Exact || (bound == Bound::Lower && from_root >= beta) ||
           (bound == Bound::Upper && from_root <= alpha);
  }
};
constexpr Score kNoEval = kInfinite;

/// Mates count from the root in the search, from the position in the table.
constexpr Score score_to_table(Score s, int ply) {
  return s >= kMateInMaxPly ? s + ply : s <= -kMateInMaxPly ? s - ply : s;
}
constexpr Score score_from_table(Score s, int ply) {
  return s >= kMateInMaxPly ? s - ply : s <= -kMateInMaxPly ? s + ply : s;
}

/// Four entries to a cache line. A slot holds data and key xor data, so that a torn write by two threads is
/// seen as another position (Hyatt and Mann 2002).
class TranspositionTable {
 public:
  /// Throws UserError if the memory at hand does not hold it.
  explicit TranspositionTable(std::size_t mib);

  std::optional<TableEntry> probe(std::uint64_t key) const;
  void store(std::uint64_t key, const TableEntry& entry);
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }
  /// Makes the entries of earlier searches the first to be replaced.
  void new_search() { generation_ = (generation_ + 1) & 63; }
  void clear();
  /// Share of slots used by the present search, in permille, from a sample.
  int permille_full() const;

 private:
  /// Plain numbers, so that zeroed memory is a table; read and written only as atomics.
  struct Slot {
    std::uint64_t check;  // key ^ data
    std::uint64_t data;
  };
  struct Bucket {
    Slot slots[4];
  };
  static_assert(sizeof(Bucket) == 64);

  Bucket& bucket(std::uint64_t key) const {
    return buckets()[static_cast<std::size_t>((static_cast<unsigned __int128>(key) * count_) >> 64)];
  }
  Bucket* buckets() const { return static_cast<Bucket*>(memory_.data()); }

  PageMemory memory_;
  std::size_t count_;
  std::uint8_t generation_ = 0;
};

}  // namespace farrier
