// Castling under the attack of every kind of man on every square, judged by the slow reference rules.
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <map>

#include "tests/support/reference_rules.h"
#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

/// The eight ranks as FEN; squares are 0 = a1 ... 63 = h8.
std::string ranks_of(const std::array<char, 64>& men) {
  std::string fen;
  for (int rank = 7; rank >= 0; --rank) {
    for (int file = 0; file < 8; ++file) {
      const char man = men[static_cast<std::size_t>(rank * 8 + file)];
      if (man != '.') {
        fen += man;
      } else if (!fen.empty() && fen.back() >= '1' && fen.back() <= '7') {
        ++fen.back();
      } else {
        fen += '1';
      }
    }
    if (rank > 0) fen += '/';
  }
  return fen;
}

/// A white position, as it is or with colours and ranks exchanged.
std::array<char, 64> seen_by(bool white, const std::array<char, 64>& men) {
  if (white) return men;
  std::array<char, 64> turned{};
  for (std::size_t s = 0; s < 64; ++s) {
    const auto c = static_cast<unsigned char>(men[s]);
    turned[s ^ 56] = static_cast<char>(std::islower(c) ? std::toupper(c) : std::tolower(c));
  }
  return turned;
}

template <VariantRules R>
class Castling : public testing::Test {};
TYPED_TEST_SUITE(Castling, AllRules, RulesName);

TYPED_TEST(Castling, IsLegalExactlyIfTheRoyalMansThreeSquaresAreUnattackedByEveryKindOfMan) {
  const std::string kinds = TypeParam::kMinor == PieceType::Commoner ? "kmpbrq" : "knpbrq";
  std::map<std::string, int> forbidden, allowed;  // by kind and square
  for (bool white : {true, false})
    for (char kind : kinds)
      for (std::size_t s = 0; s < 64; ++s) {
        std::array<char, 64> men{};
        men.fill('.');
        men[4] = 'K';
        men[0] = men[7] = 'R';
        if (men[s] != '.') continue;
        if (kind != 'k') men[60] = 'k';
        if (men[s] != '.') continue;
        men[s] = kind;
        const std::string fen = ranks_of(seen_by(white, men)) + (white ? " w KQ - 0 1" : " b kq - 0 1");
        const Result<Board> board = parse_fen<TypeParam>(fen);
        if (!board) continue;  // a pawn on an end rank, or the waiting royal man attacked
        const auto reference = reference::read_fen(TypeParam::kUciName, to_fen<TypeParam>(*board));
        const auto attacked = [&](int file) {
          return reference::is_attacked(reference, white ? file : 56 + file, !white);
        };
        const auto empty = [&](std::size_t file) { return men[file] == '.'; };
        const bool short_side = empty(5) && empty(6) && !attacked(4) && !attacked(5) && !attacked(6);
        const bool long_side =
            empty(1) && empty(2) && empty(3) && !attacked(4) && !attacked(3) && !attacked(2);
        ASSERT_EQ(can_play<TypeParam>(*board, white ? "e1g1" : "e8g8"), short_side) << fen;
        ASSERT_EQ(can_play<TypeParam>(*board, white ? "e1c1" : "e8c8"), long_side) << fen;
        for (int file = 0; file < 8; ++file) {
          const std::string seen{kind, static_cast<char>('a' + file)};
          if (attacked(file)) ++((file < 4 ? long_side : short_side) ? allowed : forbidden)[seen];
        }
      }
  // Each kind was seen to attack each square that matters (but no royal man the other one), and the b file's to no harm.
  for (char kind : kinds)
    for (char file : std::string(kind == 'k' ? "cdfg" : "cdefg"))
      EXPECT_GT((forbidden[std::string{kind, file}]), 0) << kind << file;
  for (char kind : kinds)
    if (kind != 'k' || TypeParam::kRoyalLeapsAsKnight) {
      EXPECT_GT((allowed[std::string{kind, 'b'}]), 0) << kind;
    }
}

TYPED_TEST(Castling, ARookMayCastleOutOfAttackAndOverAnAttackedSquare) {
  EXPECT_TRUE(can_play<TypeParam>(board_from<TypeParam>("r6k/8/8/8/8/8/8/R3K3 w Q - 0 1"), "e1c1"));
  EXPECT_TRUE(can_play<TypeParam>(board_from<TypeParam>("1r5k/8/8/8/8/8/8/R3K3 w Q - 0 1"), "e1c1"));
  EXPECT_TRUE(can_play<TypeParam>(board_from<TypeParam>("k6r/8/8/8/8/8/8/4K2R w K - 0 1"), "e1g1"));
}

TYPED_TEST(Castling, DoesNotResetTheFiftyMoveCounter) {
  const Board board = board_from<TypeParam>("k7/8/8/8/8/8/8/4K2R w K - 41 60");
  EXPECT_EQ(board_after<TypeParam>(board, "e1g1").halfmove_clock, 42);
}

TYPED_TEST(Castling, ARookThatComesToTheCornerAfterTheFirstWasTakenDoesNotCastle) {
  const Board board = board_after<TypeParam>(board_from<TypeParam>("4k3/p6b/8/8/8/8/8/R3K2R b KQ - 0 1"),
                                             "h7e4 a1a2 e4h1 a2h2 a7a6 h2h1 a6a5");
  EXPECT_FALSE(can_play<TypeParam>(board, "e1g1"));
}

}  // namespace
}  // namespace farrier
