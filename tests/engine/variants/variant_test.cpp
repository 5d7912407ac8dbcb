// The four games by name, and their start positions as shared/rules/RULES.md gives them.
#include "engine/variants/variant.h"

#include <gtest/gtest.h>

namespace farrier {
namespace {

TEST(Variants, EachHasItsUciNameAndIsFoundByIt) {
  EXPECT_EQ(variant_name(Variant::Chess), "chess");
  EXPECT_EQ(variant_name(Variant::Crazyhouse), "crazyhouse");
  EXPECT_EQ(variant_name(Variant::Knightmate), "knightmate");
  EXPECT_EQ(variant_name(Variant::PocketKnight), "pocketknight");
  for (Variant v : kAllVariants) EXPECT_EQ(variant_from_name(variant_name(v)), v);
  for (const char* name : {"", "Chess", "crazyhouse ", "zh", "atomic"})
    EXPECT_EQ(variant_from_name(name), std::nullopt);
}

TEST(Variants, TheStartPositionsAreThoseOfTheRules) {
  EXPECT_EQ(start_fen(Variant::Chess), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  EXPECT_EQ(start_fen(Variant::Crazyhouse), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1");
  EXPECT_EQ(start_fen(Variant::Knightmate), "rmbqkbmr/pppppppp/8/8/8/8/PPPPPPPP/RMBQKBMR w KQkq - 0 1");
  EXPECT_EQ(start_fen(Variant::PocketKnight), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQkq - 0 1");
}

}  // namespace
}  // namespace farrier
