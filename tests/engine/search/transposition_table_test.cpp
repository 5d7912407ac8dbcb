#include "engine/search/transposition_table.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"

namespace farrier {
namespace {

const TableEntry kEntry{Move::normal(Square::E1, Square::E8), -1234, 567, 42, Bound::Lower};

void expect_equal(const TableEntry& a, const TableEntry& b) {
  EXPECT_EQ(a.move, b.move);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.static_eval, b.static_eval);
  EXPECT_EQ(a.depth, b.depth);
  EXPECT_EQ(a.bound, b.bound);
}

TEST(TranspositionTable, GivesBackWhatWasStoredAndNothingElse) {
  TranspositionTable table(1);
  Rng rng(3);
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < 1000; ++i) {
    keys.push_back(rng());
    EXPECT_FALSE(table.probe(keys.back()));
    table.store(keys.back(), kEntry);
  }
  for (std::uint64_t key : keys) {
    const auto found = table.probe(key);
    ASSERT_TRUE(found);
    expect_equal(*found, kEntry);
  }
  EXPECT_FALSE(table.probe(keys[0] + 1));
}

TEST(TranspositionTable, EntryWithoutAMoveKeepsTheOldMove) {
  TranspositionTable table(1);
  table.store(77, kEntry);
  TableEntry without = kEntry;
  without.move = Move();
  table.store(77, without);
  EXPECT_EQ(table.probe(77)->move, kEntry.move);
}

TEST(TranspositionTable, EveryMemorySizeHoldsEntriesAndIsForgottenWhole) {
  for (std::size_t mib :
       {1, 3, 130}) {  // less than a huge page, no multiple of one, cleared by several threads
    TranspositionTable table(mib);
    Rng rng(9);
    for (int i = 0; i < 5000; ++i) table.store(rng(), kEntry);
    EXPECT_GT(table.permille_full(), 0) << mib;
    table.clear();
    rng = Rng(9);
    for (int i = 0; i < 5000; ++i) ASSERT_FALSE(table.probe(rng())) << mib;
    EXPECT_EQ(table.permille_full(), 0) << mib;
  }
}

TEST(TranspositionTable, OneThatTheMemoryDoesNotHoldIsRefused) {
  const std::size_t far_too_much = std::size_t{1} << 32;  // MiB
  EXPECT_THROW(TranspositionTable{far_too_much}, UserError);
  EXPECT_THROW(TranspositionTable{available_memory() / (1 << 20) + 4096}, UserError);
}

}  // namespace
}  // namespace farrier
