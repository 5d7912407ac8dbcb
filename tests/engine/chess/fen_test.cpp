// FEN: the forms that are read, the positions that are refused with their reason, and the one form written.
#include "engine/chess/fen.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

/// What a FEN becomes when it is read and written again.
template <VariantRules R>
std::string canonical(std::string_view fen) {
  return to_fen<R>(board_from<R>(fen));
}

/// The reason why a FEN is refused; a FEN that is read fails the test.
template <VariantRules R>
std::string reason(std::string_view fen) {
  const Result<Board> board = parse_fen<R>(fen);
  if (!board.ok()) return board.reason();
  ADD_FAILURE() << "read without complaint: " << fen;
  return {};
}

#define EXPECT_REFUSED(R, fen, part) EXPECT_PRED_FORMAT2(testing::IsSubstring, part, reason<R>(fen))

template <VariantRules R>
class Fen : public testing::Test {};
TYPED_TEST_SUITE(Fen, AllRules, RulesName);

TYPED_TEST(Fen, TheStartPositionIsWrittenAsTheRulesGiveIt) {
  EXPECT_EQ(to_fen<TypeParam>(start_board<TypeParam>()), TypeParam::kStartFen);
}

TYPED_TEST(Fen, AbsentClocksAreZeroAndOne) {
  const std::string start(TypeParam::kStartFen);
  EXPECT_EQ(canonical<TypeParam>(start.substr(0, start.size() - 4)), start);
  EXPECT_EQ(canonical<TypeParam>(start.substr(0, start.size() - 2)), start);
}

TYPED_TEST(Fen, SpacesAroundAndBetweenFieldsDoNotMatter) {
  std::string spread = "  ";
  for (char c : TypeParam::kStartFen) spread += c == ' ' ? std::string(" \t ") : std::string(1, c);
  EXPECT_EQ(canonical<TypeParam>(spread + "\r\n"), TypeParam::kStartFen);
}

TYPED_TEST(Fen, EveryFormOfEmptyHandsIsReadInEveryVariant) {
  const std::string written =
      std::string("4k3/8/8/8/8/8/8/R3K3") + (TypeParam::kHasDrops ? "[]" : "") + " w Q - 0 1";
  for (const char* hands : {"", "[]", "[-]", "/", "/-"})
    EXPECT_EQ(canonical<TypeParam>("4k3/8/8/8/8/8/8/R3K3" + std::string(hands) + " w Q - 0 1"), written)
        << hands;
}

TYPED_TEST(Fen, ACastlingRightNamedTwiceIsRefused) {
  EXPECT_REFUSED(TypeParam, "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "FEN field 3 (castling): 'KK'");
  EXPECT_REFUSED(TypeParam, "r3k2r/8/8/8/8/8/8/R3K2R w KQkqK - 0 1", "FEN field 3 (castling)");
  EXPECT_REFUSED(TypeParam, "r3k2r/8/8/8/8/8/8/R3K2R w K-Q - 0 1", "FEN field 3 (castling)");
}

TYPED_TEST(Fen, EachRefusalNamesItsField) {
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K2 w - - 0 1", "FEN field 1 (board): ");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3[x] w - - 0 1", "FEN field 1 (board): ");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 W - - 0 1", "FEN field 2 (side to move): ");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w HAha - 0 1", "FEN field 3 (castling): ");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w - e 0 1", "FEN field 4 (en passant): ");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w - - +1 1", "FEN field 5 (halfmove clock): ");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w - - 0 one", "FEN field 6 (move number): ");
}

TYPED_TEST(Fen, MoveNumberZeroIsReadAsOne) {
  EXPECT_EQ(board_from<TypeParam>("4k3/8/8/8/8/8/8/4K3 w - - 0 0").fullmove_number, 1);
}

TYPED_TEST(Fen, ClocksAreKept) {
  const Board board = board_from<TypeParam>("4k3/8/8/8/8/8/4P3/4K3 b - - 37 112");
  EXPECT_EQ(board.halfmove_clock, 37);
  EXPECT_EQ(board.fullmove_number, 112);
}

TYPED_TEST(Fen, AFenWithTooFewOrTooManyFieldsIsRefused) {
  EXPECT_REFUSED(TypeParam, "", "at least a board and the side to move");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3", "at least a board and the side to move");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 7", "at most six fields");
}

TYPED_TEST(Fen, RanksThatDoNotFillTheBoardAreRefused) {
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8 w - - 0 1", "eight ranks");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/7/8/4K3 w - - 0 1", "rank 3");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/9/8/4K3 w - - 0 1", "'9'");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/44P/8/4K3 w - - 0 1", "rank 3 describes more than eight squares");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3P w - - 0 1", "rank 1 describes more than eight squares");
}

TYPED_TEST(Fen, ALetterThatIsNoManIsRefused) {
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/3X4/4K3 w - - 0 1", "'X' is no man of");
}

TYPED_TEST(Fen, EachSideHasExactlyOneRoyalMan) {
  EXPECT_REFUSED(TypeParam, "8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 royal men");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/8 w - - 0 1", "white has 0 royal men");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "white has 2 royal men");
}

TYPED_TEST(Fen, PawnsOnTheEndRanksAreRefused) {
  EXPECT_REFUSED(TypeParam, "4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "first or the last rank");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K2p w - - 0 1", "first or the last rank");
}

TYPED_TEST(Fen, ASideToMoveOtherThanWOrBIsRefused) {
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "neither w nor b");
}

TYPED_TEST(Fen, TheSideNotToMoveMustNotBeInCheck) {
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the side not to move is in check");
  EXPECT_TRUE(parse_fen<TypeParam>("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1").ok());
}

TYPED_TEST(Fen, BrokenLastFieldsAreRefused) {
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w x - 0 1", "castling");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "en passant");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w - - 0 1x", "move number");
  EXPECT_REFUSED(TypeParam, "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999", "move number");
}

TYPED_TEST(Fen, CastlingRightsWithoutKingOrRookAtHomeAreDropped) {
  const auto rights = [](std::string_view fen) { return board_from<TypeParam>(fen).castling; };
  EXPECT_EQ(rights("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
            kWhiteShort | kWhiteLong | kBlackShort | kBlackLong);
  EXPECT_EQ(rights("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1"),
            kWhiteShort | kWhiteLong | kBlackShort | kBlackLong);
  EXPECT_EQ(rights("r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1"), kWhiteShort | kBlackLong);
  EXPECT_EQ(rights("r2k3r/8/8/8/8/8/8/R4K1R w KQkq - 0 1"), 0);
  EXPECT_EQ(rights("b3k2q/8/8/8/8/8/8/r3K2B w KQkq - 0 1"), 0);
}

TYPED_TEST(Fen, CastlingRightsAreWrittenInTheirOrder) {
  const std::string fen = canonical<TypeParam>("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1");
  EXPECT_NE(fen.find(" KQkq "), std::string::npos) << fen;
}

TYPED_TEST(Fen, AnEnPassantSquareIsKeptOnlyWhereALegalCaptureExists) {
  const auto passed = [](std::string_view fen) { return board_from<TypeParam>(fen).en_passant; };
  EXPECT_EQ(passed("k7/8/8/8/3pP3/8/8/K7 b - e3 0 1"), make_square(4, 2));
  EXPECT_EQ(passed("k7/8/8/8/4P3/8/8/K7 b - e3 0 1"), Square::None);      // nobody beside it
  EXPECT_EQ(passed("k7/8/8/8/3p4/8/8/K7 b - e3 0 1"), Square::None);      // no pawn made the step
  EXPECT_EQ(passed("k7/8/8/8/3pP3/4B3/8/K7 b - e3 0 1"), Square::None);   // the square is taken
  EXPECT_EQ(passed("k7/8/8/8/3pP3/8/4B3/K7 b - e3 0 1"), Square::None);   // the pawn's origin is taken
  EXPECT_EQ(passed("k7/8/8/8/3pP3/8/8/K7 w - e3 0 1"), Square::None);     // the wrong side to move
  EXPECT_EQ(passed("3k4/8/8/8/3pP3/8/8/K2R4 b - e3 0 1"), Square::None);  // pinned on the file
}

TEST(FenOfChess, AnEnPassantCaptureThatOpensTheRankIsNotKept) {
  EXPECT_EQ(canonical<StandardRules>("8/8/8/8/k2pP2R/8/8/K7 b - e3 0 1"), "8/8/8/8/k2pP2R/8/8/K7 b - - 0 1");
}

TEST(FenOfChess, HandsAndMarksAreRefused) {
  EXPECT_REFUSED(StandardRules, "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "can't be held in hand in chess");
  EXPECT_REFUSED(StandardRules, "4k3/8/8/8/8/8/8/3QK3/P w - - 0 1", "can't be held in hand in chess");
  EXPECT_REFUSED(StandardRules, "4k3/8/8/8/8/8/8/3Q~K3 w - - 0 1", "crazyhouse only");
}

TEST(FenOfChess, EmptyBracketsAreReadAndNotWritten) {
  EXPECT_EQ(canonical<StandardRules>("4k3/8/8/8/8/8/8/4K3[] w - - 0 1"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

TEST(FenOfChess, OfficersBeyondTheStartNeedPawnsThatPromoted) {
  EXPECT_REFUSED(StandardRules, "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "white's pawns and promoted men");
  EXPECT_REFUSED(StandardRules, "4k1qq/pppppppp/8/8/8/8/8/4K3 b - - 0 1", "black's pawns and promoted men");
  EXPECT_TRUE(parse_fen<StandardRules>("4k1qq/1ppppppp/8/8/8/8/8/4K3 b - - 0 1").ok());
  EXPECT_TRUE(parse_fen<StandardRules>("k7/8/8/8/8/8/QQQQQ3/QQQQ3K b - - 0 1").ok());
  EXPECT_REFUSED(StandardRules, "k7/8/8/8/8/8/QQQQQ3/QQQQQ2K b - - 0 1", "more men than exist");
}

TEST(FenOfChess, TheCommonerIsNoManOfChess) {
  EXPECT_REFUSED(StandardRules, "4k3/8/8/8/8/8/3M4/4K3 w - - 0 1", "'M' is no man of chess");
}

TEST(FenOfCrazyhouse, HandsAreReadInEveryFormAndOrder) {
  const std::string written = "4k3/8/8/8/8/8/8/4K3[QNPp] w - - 0 1";
  EXPECT_EQ(canonical<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[QNPp] w - - 0 1"), written);
  EXPECT_EQ(canonical<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[pPNQ] w - - 0 1"), written);
  EXPECT_EQ(canonical<Crazyhouse>("4k3/8/8/8/8/8/8/4K3/NpQP w - - 0 1"), written);
}

TEST(FenOfCrazyhouse, HandsAreWrittenQueenToPawnWhiteFirst) {
  EXPECT_EQ(canonical<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[pnbrqPPNBRQ] w - - 0 1"),
            "4k3/8/8/8/8/8/8/4K3[QRBNPPqrbnp] w - - 0 1");
}

TEST(FenOfCrazyhouse, EmptyBracketsADashAnEmptyNinthRankAndNothingAllMeanEmptyHands) {
  const std::string written = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1";
  for (const char* hands : {"[]", "[-]", "/", "/-", ""})
    EXPECT_EQ(canonical<Crazyhouse>("4k3/8/8/8/8/8/8/4K3" + std::string(hands) + " w - - 0 1"), written)
        << hands;
}

TEST(FenOfCrazyhouse, MarksArePartOfThePosition) {
  const std::string marked = "4k3/8/8/3Q~4/8/8/8/4K3[] b - - 0 1";
  EXPECT_EQ(canonical<Crazyhouse>(marked), marked);
  const Board with = board_from<Crazyhouse>(marked);
  const Board without = board_from<Crazyhouse>("4k3/8/8/3Q4/8/8/8/4K3[] b - - 0 1");
  EXPECT_FALSE(with == without);
  EXPECT_NE(with.key, without.key);
}

TEST(FenOfCrazyhouse, BrokenHandsAndMarksAreRefused) {
  EXPECT_REFUSED(Crazyhouse, "4k3/8/8/8/8/8/8/4K3[QN w - - 0 1", "closing ']'");
  EXPECT_REFUSED(Crazyhouse, "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "'K' can't be held in hand");
  EXPECT_REFUSED(Crazyhouse, "4k3/8/8/8/8/8/8/4K3[M] w - - 0 1", "'M' can't be held in hand");
  EXPECT_REFUSED(Crazyhouse, "4k3/8/8/8/8/8/8/4K3[3] w - - 0 1", "'3' can't be held in hand");
  EXPECT_REFUSED(Crazyhouse, "4k3/8/8/8/8/8/P~7/4K3[] w - - 0 1", "only a promoted man carries it");
  EXPECT_REFUSED(Crazyhouse, "4k3/8/8/8/8/8/8/4K~3[] w - - 0 1", "only a promoted man carries it");
  EXPECT_REFUSED(Crazyhouse, "4k3/8/8/8/8/8/~7/4K3[] w - - 0 1", "'~' is no man");
}

TEST(FenOfCrazyhouse, OneSideMayOwnAllMenOfBoth) {
  EXPECT_TRUE(parse_fen<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[QQRRRRBBBBNNNNPPPPPPPPPPPPPPPP] w - - 0 1").ok());
}

// Loose on purpose: a FEN of another program may lack the marks, and a reference position has 33 men.
TEST(FenOfCrazyhouse, MoreMenThanExistAreRefused) {
  EXPECT_REFUSED(Crazyhouse, "4k3/8/8/8/8/8/8/4K3[QQQ] w - - 0 1", "a hand holds more 'Q' than exist");
  EXPECT_REFUSED(Crazyhouse, "4k3/8/8/8/8/8/PPPPPPPP/4K3[PPPPPPPPP] w - - 0 1",
                 "white's pawns and promoted men together are 17");
  EXPECT_REFUSED(Crazyhouse, "4k3/8/8/8/8/8/Q~7/4K3[PPPPPPPPPPPPPPPP] b - - 0 1",
                 "white's pawns and promoted men together are 17");
  EXPECT_REFUSED(Crazyhouse, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[PPp] w - - 0 1",
                 "more men than exist: 35");
}

TEST(FenOfCrazyhouse, APromotedRookInTheCornerHasNoCastlingRight) {
  EXPECT_EQ(canonical<Crazyhouse>("4k3/8/8/8/8/8/8/R~3K2R[] w KQ - 0 1"),
            "4k3/8/8/8/8/8/8/R~3K2R[] w K - 0 1");
}

TEST(FenOfKnightmate, TheKnightIsNoManOfKnightmate) {
  EXPECT_REFUSED(Knightmate, "4k3/8/8/8/8/8/3N4/4K3 w - - 0 1", "'N' is no man of knightmate");
}

TEST(FenOfKnightmate, CommonersBeyondTheStartNeedPawnsThatPromoted) {
  EXPECT_TRUE(parse_fen<Knightmate>("4k3/8/8/8/8/M7/PPPPPPPP/M3K3 w - - 0 1").ok());
  EXPECT_TRUE(parse_fen<Knightmate>("4k3/8/8/8/8/MM6/PPPPPPP1/M3K3 w - - 0 1").ok());
  EXPECT_REFUSED(Knightmate, "4k3/8/8/8/8/MM6/PPPPPPPP/M3K3 w - - 0 1", "more men than exist");
}

TEST(FenOfPocketKnight, AnAbsentHandMeansThatBothKnightsAreGone) {
  EXPECT_EQ(canonical<PocketKnight>("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1");
}

TEST(FenOfPocketKnight, ThePocketIsReadInEveryForm) {
  const std::string written = "4k3/8/8/8/8/8/8/4K3[Nn] w - - 0 1";
  EXPECT_EQ(canonical<PocketKnight>("4k3/8/8/8/8/8/8/4K3[nN] w - - 0 1"), written);
  EXPECT_EQ(canonical<PocketKnight>("4k3/8/8/8/8/8/8/4K3/Nn w - - 0 1"), written);
  EXPECT_EQ(canonical<PocketKnight>("4k3/8/8/8/8/8/8/4K3[-] w - - 0 1"), "4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
}

TEST(FenOfPocketKnight, ASecondPocketKnightAndOtherMenInThePocketAreRefused) {
  EXPECT_REFUSED(PocketKnight, "4k3/8/8/8/8/8/8/4K3[NN] w - - 0 1", "a hand holds more 'N' than exist");
  EXPECT_REFUSED(PocketKnight, "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "'Q' can't be held in hand");
  EXPECT_REFUSED(PocketKnight, "4k3/8/8/8/8/8/8/3Q~K3[] w - - 0 1", "crazyhouse only");
}

TEST(FenOfPocketKnight, ThreeKnightsWithThePocketAndEightPawnsAreAllThereAre) {
  EXPECT_TRUE(parse_fen<PocketKnight>("4k3/8/8/8/8/NNN5/PPPPPPPP/4K3[] w - - 0 1").ok());
  EXPECT_TRUE(parse_fen<PocketKnight>("4k3/8/8/8/8/NN6/PPPPPPPP/4K3[N] w - - 0 1").ok());
  EXPECT_REFUSED(PocketKnight, "4k3/8/8/8/8/NNN5/PPPPPPPP/4K3[N] w - - 0 1", "more men than exist");
}

}  // namespace
}  // namespace farrier
