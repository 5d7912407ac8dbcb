// Laws that hold in every position of every variant, tried over seeded random games.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/chess/men_limits.h"
#include "tests/support/reference_rules.h"
#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

constexpr int kGames = 300;
constexpr int kFewGames = 40;  // where the slow reference is asked, or each move parsed
constexpr int kPlies = 200;

template <VariantRules R>
class Laws : public testing::Test {};
TYPED_TEST_SUITE(Laws, AllRules, RulesName);

/// Bitboards, squares, hands and key tell the same.
void expect_consistent(const Board& board) {
  Bitboard by_types;
  for (Bitboard men : board.by_type) {
    EXPECT_TRUE((by_types & men).empty());
    by_types |= men;
  }
  EXPECT_EQ(by_types, board.occupied());
  EXPECT_TRUE((board.men(Color::White) & board.men(Color::Black)).empty());
  for (int i = 0; i < kSquareCount; ++i) {
    const Square s = static_cast<Square>(i);
    const Piece piece = board.at(s);
    EXPECT_EQ(piece.is_none(), !board.occupied().contains(s));
    if (piece.is_none()) continue;
    EXPECT_TRUE(board.men(piece.color(), piece.type()).contains(s));
    EXPECT_EQ(piece.promoted(), board.promoted.contains(s));
  }
  EXPECT_TRUE((board.promoted & ~board.occupied()).empty());
  EXPECT_EQ(board.men(Color::White, PieceType::King).count(), 1);
  EXPECT_EQ(board.men(Color::Black, PieceType::King).count(), 1);
  EXPECT_EQ(board.key, board.fresh_key());
}

TYPED_TEST(Laws, RandomGamesMeetEveryKindOfMove) {
  int captures = 0, promotions = 0, castlings = 0, en_passants = 0, drops = 0, ends = 0, checks = 0;
  for_random_positions<TypeParam>(1, kGames, kPlies, [&](const Board& board, const MoveList& moves) {
    ends += moves.empty();
    checks += is_check<TypeParam>(board);
    for (Move move : moves) {
      captures += is_noisy(board, move) && !move.is_promotion();
      promotions += move.is_promotion();
      castlings += move.is_castling();
      en_passants += move.is_en_passant();
      drops += move.is_drop();
    }
  });
  // Otherwise the laws below would be tried on too little.
  EXPECT_GT(captures, 5000);
  EXPECT_GT(promotions, 500);
  EXPECT_GT(castlings, 100);
  EXPECT_GT(en_passants, 30);
  EXPECT_GT(checks, 1000);
  EXPECT_GT(ends, 0);
  EXPECT_EQ(drops > 5000, TypeParam::kHasDrops);
}

TYPED_TEST(Laws, MakingAMoveOnACopyLeavesTheOriginalEqualAndTheCopyConsistent) {
  for_random_positions<TypeParam>(2, kGames, kPlies, [](const Board& board, const MoveList& moves) {
    const Board before = board;
    expect_consistent(board);
    for (Move move : moves) {
      const Board next = after<TypeParam>(board, move);
      EXPECT_FALSE(next == board);
      EXPECT_NE(next.key, board.key);
    }
    ASSERT_TRUE(board == before);
  });
}

TYPED_TEST(Laws, TheIncrementalKeyEqualsTheFreshOne) {
  for_random_positions<TypeParam>(3, kGames, kPlies, [](const Board& board, const MoveList& moves) {
    ASSERT_EQ(board.key, board.fresh_key()) << to_fen<TypeParam>(board);
    for (Move move : moves) {
      const Board next = after<TypeParam>(board, move);
      ASSERT_EQ(next.key, next.fresh_key()) << to_fen<TypeParam>(board) << " " << to_uci(move);
    }
    if (is_check<TypeParam>(board)) return;
    Board passed = board;
    make_null_move(passed);
    ASSERT_EQ(passed.key, passed.fresh_key()) << to_fen<TypeParam>(board) << " null move";
  });
}

TYPED_TEST(Laws, FenSurvivesTheRoundTrip) {
  for_random_positions<TypeParam>(4, kGames, kPlies, [](const Board& board, const MoveList&) {
    const std::string fen = to_fen<TypeParam>(board);
    const Result<Board> again = parse_fen<TypeParam>(fen);
    ASSERT_TRUE(again.ok()) << fen << ": " << again.reason();
    ASSERT_TRUE(*again == board) << fen;
    ASSERT_EQ(to_fen<TypeParam>(*again), fen);
  });
}

TYPED_TEST(Laws, UciMoveTextSurvivesTheRoundTripAndIsUnique) {
  for_random_positions<TypeParam>(5, kFewGames, kPlies, [](const Board& board, const MoveList& moves) {
    std::set<std::string> texts;
    for (Move move : moves) {
      ASSERT_TRUE(texts.insert(to_uci(move)).second) << to_uci(move) << " in " << to_fen<TypeParam>(board);
      const Result<Move> again = parse_uci_move<TypeParam>(board, to_uci(move));
      ASSERT_TRUE(again.ok()) << again.reason();
      ASSERT_EQ(*again, move);
    }
  });
}

TYPED_TEST(Laws, NoLegalMoveLeavesTheRoyalManInCheck) {
  for_random_positions<TypeParam>(6, kFewGames, kPlies, [](const Board& board, const MoveList& moves) {
    const bool white = board.side_to_move == Color::White;
    const auto reference = reference::read_fen(TypeParam::kUciName, to_fen<TypeParam>(board));
    ASSERT_EQ(is_check<TypeParam>(board), reference::in_check(reference, white)) << to_fen<TypeParam>(board);
    for (Move move : moves) {
      const std::string fen = to_fen<TypeParam>(after<TypeParam>(board, move));
      ASSERT_FALSE(reference::in_check(reference::read_fen(TypeParam::kUciName, fen), white))
          << to_fen<TypeParam>(board) << " " << to_uci(move);
    }
  });
}

TYPED_TEST(Laws, TheCheckersAreTheEnemiesThatAttackTheRoyalMan) {
  int checks = 0;
  for_random_positions<TypeParam>(12, kGames, kPlies, [&](const Board& board, const MoveList&) {
    const Color us = board.side_to_move;
    const Bitboard attackers =
        attackers_to<TypeParam>(board, board.royal(us), board.occupied()) & board.men(~us);
    ASSERT_EQ(checkers<TypeParam>(board), attackers) << to_fen<TypeParam>(board);
    checks += attackers.any();
  });
  EXPECT_GT(checks, 500);
}

TYPED_TEST(Laws, MovesAndPositionsAreThoseOfTheReference) {
  for_random_positions<TypeParam>(7, kFewGames, kPlies, [](const Board& board, const MoveList& moves) {
    const std::string fen = to_fen<TypeParam>(board);
    const auto reference = reference::read_fen(TypeParam::kUciName, fen);
    ASSERT_EQ(reference::write_fen(reference), fen);
    ASSERT_EQ(legal_texts<TypeParam>(board), reference::legal_moves(reference)) << fen;
    // One successor in four keeps the test short: each is compared in full.
    for (std::size_t i = board.key % 4; i < moves.size(); i += 4)
      ASSERT_EQ(to_fen<TypeParam>(after<TypeParam>(board, moves[i])),
                reference::write_fen(reference::play(reference, to_uci(moves[i]))))
          << fen << " " << to_uci(moves[i]);
  });
}

TYPED_TEST(Laws, NoisyAndQuietMovesTogetherAreAllWithoutOverlap) {
  for_random_positions<TypeParam>(8, kGames, kPlies, [](const Board& board, const MoveList& moves) {
    MoveList parts;
    generate_legal<TypeParam>(board, parts, MoveKind::Noisy);
    const std::size_t noisy = parts.size();
    generate_legal<TypeParam>(board, parts, MoveKind::Quiet);
    for (std::size_t i = 0; i < parts.size(); ++i)
      ASSERT_EQ(is_noisy(board, parts[i]), i < noisy) << to_fen<TypeParam>(board) << " " << to_uci(parts[i]);

    std::multiset<std::uint16_t> all, sum;
    for (Move move : moves) all.insert(move.bits());
    for (Move move : parts) sum.insert(move.bits());
    ASSERT_EQ(all, sum) << to_fen<TypeParam>(board);
    ASSERT_EQ(std::set(all.begin(), all.end()).size(), all.size()) << to_fen<TypeParam>(board);
  });
}

TYPED_TEST(Laws, QuietChecksAreTheLegalQuietMovesWhoseManGivesCheck) {
  int moved = 0;
  int dropped = 0;
  for_random_positions<TypeParam>(14, kGames, kPlies, [&](const Board& board, const MoveList& moves) {
    if (is_check<TypeParam>(board)) return;
    std::set<std::uint16_t> expected, found;
    for (Move move : moves)
      if (!is_noisy(board, move) && !move.is_castling() &&
          checkers<TypeParam>(after<TypeParam>(board, move)).contains(move.to()))
        expected.insert(move.bits());
    MoveList generated;
    generate_quiet_checks<TypeParam>(board, generated);
    for (Move move : generated) {
      found.insert(move.bits());
      ++(move.is_drop() ? dropped : moved);
    }
    ASSERT_EQ(found, expected) << to_fen<TypeParam>(board);
    ASSERT_EQ(found.size(), generated.size()) << to_fen<TypeParam>(board);
  });
  EXPECT_GT(moved, 1000);
  EXPECT_EQ(dropped > 1000, TypeParam::kHasDrops);
}

TYPED_TEST(Laws, HasLegalMoveAgreesWithTheList) {
  for_random_positions<TypeParam>(9, kGames, kPlies, [](const Board& board, const MoveList& moves) {
    ASSERT_EQ(has_legal_move<TypeParam>(board), !moves.empty()) << to_fen<TypeParam>(board);
  });
}

TYPED_TEST(Laws, IsLegalIsTrueOfTheListedMovesAndOfNoOtherWord) {
  int positions = 0;
  for_random_positions<TypeParam>(10, 60, kPlies, [&](const Board& board, const MoveList& moves) {
    std::set<std::uint16_t> legal;
    for (Move move : moves) legal.insert(move.bits());
    for (std::uint16_t bits : legal) ASSERT_TRUE(is_legal<TypeParam>(board, Move::from_bits(bits)));
    if (board.key % 16 != 0 && board.en_passant == Square::None && !moves.empty()) return;
    if (++positions > 200) return;
    for (unsigned bits = 0; bits < 65536; ++bits)
      ASSERT_EQ(is_legal<TypeParam>(board, Move::from_bits(static_cast<std::uint16_t>(bits))),
                legal.contains(static_cast<std::uint16_t>(bits)))
          << to_fen<TypeParam>(board) << " move word " << bits;
  });
  EXPECT_GT(positions, 100);
}

TYPED_TEST(Laws, HandsAndMenStayWithinTheirBounds) {
  for_random_positions<TypeParam>(11, kGames, 2 * kPlies, [](const Board& board, const MoveList&) {
    int men = board.occupied().count();
    for (Color c : {Color::White, Color::Black})
      for (int t = 0; t < kHandTypeCount; ++t) {
        const PieceType type = static_cast<PieceType>(t);
        ASSERT_LE(board.in_hand(c, type), TypeParam::kHandCapacity[index(type)]) << to_fen<TypeParam>(board);
        men += board.in_hand(c, type);
      }
    ASSERT_LE(men, kMaxMen);
    if (TypeParam::kCapturesGoToHand) {
      ASSERT_EQ(men, 32) << to_fen<TypeParam>(board);
    }
    ASSERT_EQ(impossible_men<TypeParam>(board), "") << to_fen<TypeParam>(board);
  });
}

TYPED_TEST(Laws, AnEnPassantSquareStandsOnlyWhereALegalCaptureExists) {
  int seen = 0;
  for_random_positions<TypeParam>(12, kGames, kPlies, [&](const Board& board, const MoveList& moves) {
    const bool capture =
        std::any_of(moves.begin(), moves.end(), [](Move move) { return move.is_en_passant(); });
    ASSERT_EQ(board.en_passant != Square::None, capture) << to_fen<TypeParam>(board);
    seen += capture;
  });
  EXPECT_GT(seen, 20);
}

TYPED_TEST(Laws, TheOutcomeIsMateExactlyWhereNoMoveMeetsACheck) {
  for_random_positions<TypeParam>(13, kGames, kPlies, [](const Board& board, const MoveList& moves) {
    const auto outcome = Game<TypeParam>(board).outcome();
    const bool mate = moves.empty() && is_check<TypeParam>(board);
    ASSERT_EQ(outcome && outcome->termination == Termination::Checkmate, mate) << to_fen<TypeParam>(board);
    const int winner = board.side_to_move == Color::White ? -1 : 1;
    if (outcome) {
      ASSERT_EQ(outcome->result_white, mate ? winner : 0) << to_fen<TypeParam>(board);
    }
  });
}

}  // namespace
}  // namespace farrier
