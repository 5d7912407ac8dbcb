// SAN: the one text written for a move, and the many that are read.
#include "engine/chess/san.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

/// The SAN of a move given as UCI text.
template <VariantRules R>
std::string san(std::string_view fen, std::string_view uci) {
  const Board board = board_from<R>(fen);
  return to_san<R>(board, parse_uci_move<R>(board, uci).value_or_throw(std::string(fen)));
}

/// The move read from a SAN as UCI text, or the reason why there is none.
template <VariantRules R>
std::string read(std::string_view fen, std::string_view text) {
  const Result<Move> move = parse_san<R>(board_from<R>(fen), text);
  return move ? to_uci(*move) : move.reason();
}

constexpr std::string_view kCastles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

template <VariantRules R>
class San : public testing::Test {};
TYPED_TEST_SUITE(San, AllRules, RulesName);

TYPED_TEST(San, EveryLegalMoveHasATextOfItsOwnThatReadsBackAsIt) {
  for_random_positions<TypeParam>(21, 25, 160, [](const Board& board, const MoveList& moves) {
    std::set<std::string> texts;
    for (Move move : moves) {
      const std::string text = to_san<TypeParam>(board, move);
      ASSERT_TRUE(texts.insert(text).second) << text << " in " << to_fen<TypeParam>(board);
      const Result<Move> again = parse_san<TypeParam>(board, text);
      ASSERT_TRUE(again.ok()) << again.reason();
      ASSERT_EQ(*again, move) << text << " in " << to_fen<TypeParam>(board);
    }
  });
}

TYPED_TEST(San, EveryLegalMoveIsReadFromItsUciText) {
  for_random_positions<TypeParam>(22, 10, 160, [](const Board& board, const MoveList& moves) {
    for (Move move : moves) {
      const Result<Move> again = parse_san<TypeParam>(board, to_uci(move));
      ASSERT_TRUE(again.ok()) << again.reason();
      ASSERT_EQ(*again, move) << to_uci(move) << " in " << to_fen<TypeParam>(board);
    }
  });
}

TYPED_TEST(San, TheOriginIsWrittenOnlyWhereTheTextWouldMeanSeveralMovesWithoutIt) {
  int needed = 0;
  for_random_positions<TypeParam>(24, 25, 160, [&](const Board& board, const MoveList& moves) {
    for (Move move : moves) {
      if (move.is_drop() || move.is_castling()) continue;
      const PieceType man = board.at(move.from()).type();
      const std::string text = to_san<TypeParam>(board, move);
      const std::size_t to = text.rfind(square_name(move.to()));
      const std::size_t letters = man == PieceType::Pawn ? 0 : 1;
      const std::size_t origin = to - letters - (to > 0 && text[to - 1] == 'x' ? 1 : 0);
      if (man == PieceType::Pawn || origin == 0) continue;
      ++needed;
      for (std::size_t cut = 0; cut < origin; ++cut) {
        std::string shorter = text;
        shorter.erase(letters + cut, 1);
        ASSERT_FALSE(parse_san<TypeParam>(board, shorter).ok()) << shorter << " for " << text;
      }
    }
  });
  EXPECT_GT(needed, 100);
}

TYPED_TEST(San, ACheckEndsWithAPlusAndAMateWithAHash) {
  for_random_positions<TypeParam>(23, 20, 120, [](const Board& board, const MoveList& moves) {
    for (Move move : moves) {
      const Board next = after<TypeParam>(board, move);
      const char last = to_san<TypeParam>(board, move).back();
      const bool check = is_check<TypeParam>(next);
      const bool mate = check && legal_moves<TypeParam>(next).empty();
      ASSERT_EQ(last == '+', check && !mate) << to_fen<TypeParam>(board) << " " << to_uci(move);
      ASSERT_EQ(last == '#', mate) << to_fen<TypeParam>(board) << " " << to_uci(move);
    }
  });
}

TYPED_TEST(San, TextsThatAreNoMoveAreRefusedAsSuch) {
  const std::string fen(TypeParam::kStartFen);
  for (const char* text :
       {"",       " ",    "+",    "e",       "e9",  "i4", "Xf3", "e4e5e6", "--",   "Z0",       "0000",
        "(none)", "pass", "O",    "O-O-O-O", "00",  "N@", "@",   "NN@f3",  "X@f3", "@@e4",     "N@f3f4",
        "e8=",    "e8=X", "e8()", "xe4",     "-e4", "Ne", "N",   "1-0",    "e4.",  "\xff\xfe", "e4 e5"})
    EXPECT_NE(read<TypeParam>(fen, text).find("is no move"), std::string::npos)
        << text << ": " << read<TypeParam>(fen, text);
}

TYPED_TEST(San, MovesThatAreNotLegalAreRefusedWithThePosition) {
  const std::string fen(TypeParam::kStartFen);
  for (const char* text :
       {"e5", "Qd4", "O-O", "O-O-O", "Ke2", "exd3", "Q@e4", "e2e5", "e7e5", "Rxa7", "e8=Q", "e4=Q"})
    EXPECT_EQ(read<TypeParam>(fen, text), "'" + std::string(text) + "' is not a legal move in " + fen);
}

TYPED_TEST(San, AHostileWordIsNotRepeatedAtItsFullLength) {
  const std::string reason = read<TypeParam>(TypeParam::kStartFen, std::string(100000, 'N'));
  EXPECT_LT(reason.size(), 200U);
  EXPECT_TRUE(reason.starts_with("'NNNN"));
}

TYPED_TEST(San, CastlingIsWrittenWithLettersAndReadWithLettersZerosOrSquares) {
  EXPECT_EQ(san<TypeParam>(kCastles, "e1g1"), "O-O");
  EXPECT_EQ(san<TypeParam>(kCastles, "e1c1"), "O-O-O");
  for (const char* text : {"O-O", "0-0", "o-o", "O-O!", "0-0+", "e1g1", "Ke1g1", "Kg1", "Ke1-g1"})
    EXPECT_EQ(read<TypeParam>(kCastles, text), "e1g1") << text;
  for (const char* text : {"O-O-O", "0-0-0", "o-o-o", "O-O-O?!", "e1c1", "Ke1c1", "Kc1"})
    EXPECT_EQ(read<TypeParam>(kCastles, text), "e1c1") << text;
}

TYPED_TEST(San, APawnMoveIsItsSquareAndACaptureNamesTheFile) {
  const char* fen = "7k/8/8/3p4/4P3/8/8/7K w - - 0 1";
  EXPECT_EQ(san<TypeParam>(fen, "e4e5"), "e5");
  EXPECT_EQ(san<TypeParam>(fen, "e4d5"), "exd5");
  for (const char* text :
       {"exd5", "e4xd5", "e4d5", "ed5", "exd5!", "e4:d5", "e4-d5", "Pexd5", "exd5+", " exd5 "})
    EXPECT_EQ(read<TypeParam>(fen, text), "e4d5") << text;
  for (const char* text : {"e5", "Pe5", "e4e5", "e4-e5", "e5?", "e5!!", "e5#", "Pe4-e5"})
    EXPECT_EQ(read<TypeParam>(fen, text), "e4e5") << text;
}

TYPED_TEST(San, EnPassantIsWrittenAsACaptureOfThePassedSquare) {
  const char* fen = "7k/8/8/3pP3/8/8/8/7K w - d6 0 2";
  EXPECT_EQ(san<TypeParam>(fen, "e5d6"), "exd6");
  for (const char* text : {"exd6", "exd6e.p.", "exd6 e.p.", "exd6ep", "exd6e.p.+", "e5d6"})
    EXPECT_EQ(read<TypeParam>(fen, text), "e5d6") << text;
}

TYPED_TEST(San, APromotionIsReadInEveryForm) {
  const char* fen = "1r6/P7/5k2/8/8/8/8/7K w - - 0 1";
  EXPECT_EQ(san<TypeParam>(fen, "a7a8q"), "a8=Q");
  EXPECT_EQ(san<TypeParam>(fen, "a7b8r"), "axb8=R");
  for (const char* text :
       {"a8=Q", "a8Q", "a8(Q)", "a8/Q", "a8=q", "a8q", "a7a8q", "a7a8Q", "a7-a8=Q", "a8=Q+!?"})
    EXPECT_EQ(read<TypeParam>(fen, text), "a7a8q") << text;
  for (const char* text : {"axb8=B", "axb8B", "a7xb8(B)", "a7b8b", "ab8=B"})
    EXPECT_EQ(read<TypeParam>(fen, text), "a7b8b") << text;
}

TYPED_TEST(San, APromotionNeedsItsManAndNoOther) {
  const char* fen = "1r6/P7/5k2/8/8/8/8/7K w - - 0 1";
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "does not say what the pawn promotes to",
                      read<TypeParam>(fen, "a8"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "is not a legal move", read<TypeParam>(fen, "a8=K"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "is not a legal move", read<TypeParam>(fen, "a8=P"));
  const char* other = TypeParam::kMinor == PieceType::Knight ? "a8=M" : "a8=N";
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "is not a legal move", read<TypeParam>(fen, other));
}

TYPED_TEST(San, TwoRooksOnARankAreToldApartByFile) {
  EXPECT_EQ(san<TypeParam>("6k1/8/8/8/R6R/8/8/3K4 w - - 0 1", "a4d4"), "Rad4");
  EXPECT_EQ(san<TypeParam>("6k1/8/8/8/R6R/8/8/3K4 w - - 0 1", "h4d4"), "Rhd4");
}

TYPED_TEST(San, TwoRooksOnAFileAreToldApartByRank) {
  const char* fen = "5k2/8/8/R7/8/8/8/R2K4 w - - 0 1";
  EXPECT_EQ(san<TypeParam>(fen, "a1a3"), "R1a3");
  EXPECT_EQ(san<TypeParam>(fen, "a5a3"), "R5a3");
  EXPECT_EQ(read<TypeParam>(fen, "R1a3"), "a1a3");
  EXPECT_EQ(read<TypeParam>(fen, "Ra5a3"), "a5a3");
  EXPECT_EQ(read<TypeParam>(fen, "Raa3"),
            "'Raa3' may be any of R1a3, R5a3 in " + to_fen<TypeParam>(board_from<TypeParam>(fen)));
}

TYPED_TEST(San, FileComesFirstWhereFileAndRankWouldBothDo) {
  EXPECT_EQ(san<TypeParam>("5k2/8/8/8/R7/8/8/3RK3 w - - 0 1", "a4d4"), "Rad4");
  EXPECT_EQ(san<TypeParam>("5k2/8/8/8/R7/8/8/3RK3 w - - 0 1", "d1d4"), "Rdd4");
}

TYPED_TEST(San, OfThreeQueensTheOneThatSharesFileAndRankIsNamedByItsSquare) {
  const char* fen = "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1";
  EXPECT_EQ(san<TypeParam>(fen, "h4e1"), "Qh4e1");
  EXPECT_EQ(san<TypeParam>(fen, "e4e1"), "Qee1");
  EXPECT_EQ(san<TypeParam>(fen, "h1e1"), "Q1e1");
  EXPECT_EQ(read<TypeParam>(fen, "Qh4e1"), "h4e1");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "may be any of", read<TypeParam>(fen, "Qhe1"));
}

TYPED_TEST(San, APinnedManIsNoRival) {
  // The rook on e2 is pinned on the file by the rook on e8: only the other can go to c2.
  const char* fen = "k3r3/8/8/8/2R5/8/4R3/4K3 w - - 0 1";
  EXPECT_EQ(san<TypeParam>(fen, "c4c2"), "Rc2");
  EXPECT_EQ(read<TypeParam>(fen, "Rc2"), "c4c2");
}

TYPED_TEST(San, MoreOriginThanNeededIsRead) {
  const char* fen = "5k2/8/8/8/8/8/R7/3K4 w - - 0 1";
  for (const char* text : {"Ra5", "Raa5", "R2a5", "Ra2a5", "Ra2-a5", "Ra2xa5", "Rxa5", "a2a5"})
    EXPECT_EQ(read<TypeParam>(fen, text), "a2a5") << text;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "not a legal move", read<TypeParam>(fen, "Rba5"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "not a legal move", read<TypeParam>(fen, "R1a5"));
}

TYPED_TEST(San, ALowerCaseBIsAFileAndAnUpperCaseBIsABishop) {
  const char* fen = "5k2/8/8/8/8/2n5/1P1B4/5K2 w - - 0 1";
  const char* knightmate = "5k2/8/8/8/8/2m5/1P1B4/5K2 w - - 0 1";
  const char* own = TypeParam::kMinor == PieceType::Knight ? fen : knightmate;
  EXPECT_EQ(read<TypeParam>(own, "bxc3"), "b2c3");
  EXPECT_EQ(read<TypeParam>(own, "Bxc3"), "d2c3");
}

TYPED_TEST(San, AWholeOriginWithoutALetterMeansAnyMan) {
  EXPECT_EQ(read<TypeParam>(TypeParam::kStartFen, "e2-e4"), "e2e4");
  EXPECT_EQ(read<TypeParam>("5k2/8/8/8/8/8/R7/3K4 w - - 0 1", "a2-a8+"), "a2a8");
}

TEST(SanOfChess, KnightsAreToldApartByFileRankAndSquare) {
  EXPECT_EQ(san<StandardRules>("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2"), "Nbd2");
  EXPECT_EQ(san<StandardRules>("4k3/8/8/8/1N6/8/8/1N2K3 w - - 0 1", "b4c2"), "Nc2");
  EXPECT_EQ(san<StandardRules>("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b1c3"), "N1c3");
  EXPECT_EQ(san<StandardRules>("4k3/8/8/1N3N2/8/8/8/1N2K3 w - - 0 1", "b5d4"), "Nbd4");
  EXPECT_EQ(san<StandardRules>("4k3/8/8/1N6/8/1N3N2/8/4K3 w - - 0 1", "b3d4"), "Nb3d4");
}

TEST(SanOfChess, SuperfluousOriginAsOtherProgramsWriteItIsRead) {
  for (const char* text : {"Nf3", "Ng1f3", "Ngf3", "N1f3", "Ng1-f3", "g1f3", "Nf3!", "Nf3+"})
    EXPECT_EQ(read<StandardRules>(StandardRules::kStartFen, text), "g1f3") << text;
}

TEST(SanOfChess, PromotionWithCaptureCheckAndMate) {
  EXPECT_EQ(san<StandardRules>("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q"), "exd8=Q+");
  EXPECT_EQ(san<StandardRules>("3r2k1/4Pppp/8/8/8/8/8/4K3 w - - 0 1", "e7d8r"), "exd8=R#");
  EXPECT_EQ(san<StandardRules>("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n"), "e8=N+");
}

TEST(SanOfChess, CastlingMayGiveCheckAndMate) {
  EXPECT_EQ(san<StandardRules>("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
  EXPECT_EQ(san<StandardRules>("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"), "O-O-O+");
  EXPECT_EQ(san<StandardRules>("R5r1/R3rkr1/4pBp1/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O");
  EXPECT_EQ(san<StandardRules>("4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O#");
}

TEST(SanOfChess, TheFoolsMateIsWrittenWithItsMate) {
  const Board board = board_after<StandardRules>(start_board<StandardRules>(), "f2f3 e7e5 g2g4");
  EXPECT_EQ(to_san<StandardRules>(board, *parse_uci_move<StandardRules>(board, "d8h4")), "Qh4#");
}

TEST(SanOfChess, ThereAreNoDrops) {
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "not a legal move",
                      read<StandardRules>(StandardRules::kStartFen, "N@e4"));
}

TEST(SanOfCrazyhouse, ADropIsWrittenWithItsLetterAndAPawnsWithout) {
  const char* fen = "4k3/8/8/8/8/8/8/4K3[QRBNP] w - - 0 1";
  EXPECT_EQ(san<Crazyhouse>(fen, "N@f3"), "N@f3");
  EXPECT_EQ(san<Crazyhouse>(fen, "P@e4"), "@e4");
  EXPECT_EQ(san<Crazyhouse>(fen, "Q@a4"), "Q@a4+");
  EXPECT_EQ(san<Crazyhouse>(fen, "P@d7"), "@d7+");
  for (const char* text : {"@e4", "P@e4", "p@e4", "@e4!", "P@e4+"})
    EXPECT_EQ(read<Crazyhouse>(fen, text), "P@e4");
  for (const char* text : {"B@e4", "b@e4"}) EXPECT_EQ(read<Crazyhouse>(fen, text), "B@e4");
}

TEST(SanOfCrazyhouse, ADropIsWrittenAlikeForBothSides) {
  EXPECT_EQ(san<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[n] b - - 0 1", "N@d3"), "N@d3+");
  EXPECT_EQ(san<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[p] b - - 0 1", "P@a3"), "@a3");
}

TEST(SanOfCrazyhouse, AMateByDropEndsWithAHash) {
  EXPECT_EQ(san<Crazyhouse>("6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "N@f7"), "N@f7#");
  EXPECT_EQ(san<Crazyhouse>("6bk/7p/8/5N2/8/8/8/K7[P] w - - 0 1", "P@g7"), "@g7#");
}

TEST(SanOfCrazyhouse, ACheckThatOnlyADropAnswersIsNoMate) {
  EXPECT_EQ(san<Crazyhouse>("6k1/5ppp/8/8/8/8/8/R5K1[n] w - - 0 1", "a1a8"), "Ra8+");
  EXPECT_EQ(san<Crazyhouse>("6k1/5ppp/8/8/8/8/8/R5K1[] w - - 0 1", "a1a8"), "Ra8#");
}

TEST(SanOfCrazyhouse, AManInHandIsNoRivalOfOneOnTheBoard) {
  const char* fen = "4k3/8/8/8/8/8/8/4K1N1[N] w - - 0 1";
  EXPECT_EQ(san<Crazyhouse>(fen, "g1f3"), "Nf3");
  EXPECT_EQ(san<Crazyhouse>(fen, "N@f3"), "N@f3");
  EXPECT_EQ(read<Crazyhouse>(fen, "Nf3"), "g1f3");
}

TEST(SanOfCrazyhouse, APromotedManIsCalledByWhatHeMovesAs) {
  EXPECT_EQ(san<Crazyhouse>("6k1/8/8/8/3Q~4/8/8/4K3[] w - - 0 1", "d4a4"), "Qa4");
  EXPECT_EQ(san<Crazyhouse>("6k1/8/8/8/3Q~4/8/8/K6Q[] w - - 0 1", "d4d1"), "Qdd1");
  EXPECT_EQ(san<Crazyhouse>("6k1/2P5/8/8/8/8/8/4K3[] w - - 0 1", "c7c8q"), "c8=Q+");
}

TEST(SanOfKnightmate, TheRoyalKnightIsKAndTheCommonerM) {
  EXPECT_EQ(san<Knightmate>("k7/8/8/8/8/8/8/4K3 w - - 0 1", "e1f3"), "Kf3");
  EXPECT_EQ(san<Knightmate>(Knightmate::kStartFen, "e1f3"), "Kf3");
  EXPECT_EQ(san<Knightmate>("k7/8/8/8/3M4/8/8/7K w - - 0 1", "d4e5"), "Me5");
  EXPECT_EQ(san<Knightmate>("k7/8/8/8/3M1M2/8/8/7K w - - 0 1", "d4e5"), "Mde5");
  EXPECT_EQ(san<Knightmate>("k7/2M5/8/8/8/8/8/7K w - - 0 1", "c7b8"), "Mb8+");
}

TEST(SanOfKnightmate, APawnPromotesToACommoner) {
  EXPECT_EQ(san<Knightmate>("8/P5k1/8/8/8/8/8/4K3 w - - 0 1", "a7a8m"), "a8=M");
  for (const char* text : {"a8=M", "a8M", "a8(M)", "a7a8m"})
    EXPECT_EQ(read<Knightmate>("8/P5k1/8/8/8/8/8/4K3 w - - 0 1", text), "a7a8m");
}

TEST(SanOfKnightmate, TheRoyalKnightCastles) {
  EXPECT_EQ(san<Knightmate>("7k/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"), "O-O-O");
  EXPECT_EQ(san<Knightmate>("k7/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O");
  EXPECT_EQ(san<Knightmate>("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
}

TEST(SanOfPocketKnight, TheKnightIsDroppedAndMates) {
  EXPECT_EQ(san<PocketKnight>(PocketKnight::kStartFen, "N@e4"), "N@e4");
  EXPECT_EQ(read<PocketKnight>(PocketKnight::kStartFen, "n@e4"), "N@e4");
  EXPECT_EQ(san<PocketKnight>("6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "N@f7"), "N@f7#");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "not a legal move",
                      read<PocketKnight>(PocketKnight::kStartFen, "@e4"));
}

}  // namespace
}  // namespace farrier
