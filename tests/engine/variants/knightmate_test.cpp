// Knightmate, sentence by sentence: the royal knight, commoners, castling, promotion.
#include "engine/variants/knightmate.h"

#include <gtest/gtest.h>

#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

Board km(std::string_view fen) { return board_from<Knightmate>(fen); }
bool legal(std::string_view fen, std::string_view move) { return can_play<Knightmate>(km(fen), move); }
std::string fen_after(std::string_view fen, std::string_view moves) {
  return to_fen<Knightmate>(board_after<Knightmate>(km(fen), moves));
}
std::vector<std::string> texts_from(std::string_view fen, std::string_view origin) {
  std::vector<std::string> texts;
  for (const std::string& text : legal_texts<Knightmate>(km(fen)))
    if (text.starts_with(origin)) texts.push_back(text);
  return texts;
}
std::optional<Termination> end_of(std::string_view fen) {
  const auto outcome = Game<Knightmate>(km(fen)).outcome();
  return outcome ? std::optional(outcome->termination) : std::nullopt;
}
using Texts = std::vector<std::string>;

TEST(Knightmate, RoyalKnightsStandOnTheEFileAndCommonersInTheKnightsPlace) {
  const Board board = start_board<Knightmate>();
  EXPECT_EQ(board.royal(Color::White), Square::E1);
  EXPECT_EQ(board.royal(Color::Black), Square::E8);
  for (Square s : {Square::B1, Square::G1}) EXPECT_EQ(board.at(s), Piece(Color::White, PieceType::Commoner));
  for (Square s : {make_square(1, 7), make_square(6, 7)})
    EXPECT_EQ(board.at(s), Piece(Color::Black, PieceType::Commoner));
  EXPECT_TRUE(board.men(PieceType::Knight).empty());
}

TEST(Knightmate, TheRoyalManLeapsAsAKnightOverMen) {
  EXPECT_EQ(texts_from("k7/8/8/8/2PPP3/2PKP3/2PPP3/8 w - - 0 1", "d3"),
            (Texts{"d3b2", "d3b4", "d3c1", "d3c5", "d3e1", "d3e5", "d3f2", "d3f4"}));
}

TEST(Knightmate, TheCommonerMovesAsAKing) {
  EXPECT_EQ(texts_from("k7/8/8/8/3M4/8/8/7K w - - 0 1", "d4"),
            (Texts{"d4c3", "d4c4", "d4c5", "d4d3", "d4d5", "d4e3", "d4e4", "d4e5"}));
}

TEST(Knightmate, TheCommonerIsNotRoyal) {
  // He may stay attacked, step into attack, and be taken; only the royal knight's safety counts.
  const char* fen = "k2r4/8/8/8/3M4/8/8/7K w - - 0 1";
  EXPECT_FALSE(is_check<Knightmate>(km(fen)));
  EXPECT_TRUE(legal(fen, "h1g3"));
  EXPECT_TRUE(legal(fen, "d4d5"));
  EXPECT_EQ(fen_after("k2r4/8/8/8/3M4/8/8/7K b - - 0 1", "d8d4"), "k7/8/8/8/3r4/8/8/7K w - - 0 2");
}

TEST(Knightmate, ACommonerGivesCheckOnTheEightSquaresAround) {
  EXPECT_TRUE(is_check<Knightmate>(km("k7/8/8/8/8/8/6m1/7K w - - 0 1")));
  EXPECT_FALSE(is_check<Knightmate>(km("k7/8/8/8/8/6m1/8/7K w - - 0 1")));
}

TEST(Knightmate, TheRoyalKnightAttacksAsAKnightAndNotAsAKing) {
  EXPECT_TRUE(legal("8/8/8/8/8/1k6/8/4K3 w - - 0 1", "e1c2"));   // beside the other: not attacked
  EXPECT_FALSE(legal("8/8/8/2k5/8/8/8/4K3 w - - 0 1", "e1d3"));  // a knight's leap away: attacked
}

TEST(Knightmate, APawnPromotesToQueenRookBishopOrCommoner) {
  EXPECT_EQ(texts_from("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7"), (Texts{"e7e8b", "e7e8m", "e7e8q", "e7e8r"}));
  EXPECT_EQ(fen_after("8/P5k1/8/8/8/8/8/4K3 w - - 0 1", "a7a8m"), "M7/6k1/8/8/8/8/8/4K3 b - - 0 1");
}

TEST(Knightmate, APawnMovesTwoSquaresFromItsStartUnlessBlockedAndIsTakenInPassing) {
  EXPECT_FALSE(legal("k7/8/8/8/8/4m3/4P3/7K w - - 0 1", "e2e4"));
  EXPECT_FALSE(legal("k7/8/8/8/4m3/8/4P3/7K w - - 0 1", "e2e4"));
  EXPECT_EQ(fen_after("k7/8/8/8/3p4/8/4P3/7K w - - 0 1", "e2e4 d4e3"), "k7/8/8/8/8/4p3/8/7K w - - 0 2");
}

TEST(Knightmate, CastlingMovesTheRoyalKnightTwoSquaresAndTheRookOverHim) {
  EXPECT_EQ(fen_after("k7/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "k7/8/8/8/8/8/8/5RK1 b - - 1 1");
  EXPECT_EQ(fen_after("7k/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"), "7k/8/8/8/8/8/8/2KR4 b - - 1 1");
  EXPECT_EQ(fen_after("4k2r/8/8/8/8/8/8/K7 b k - 0 1", "e8g8"), "5rk1/8/8/8/8/8/8/K7 w - - 1 2");
  EXPECT_EQ(fen_after("r3k3/8/8/8/8/8/8/7K b q - 0 1", "e8c8"), "2kr4/8/8/8/8/8/8/7K w - - 1 2");
}

TEST(Knightmate, ARoyalKnightOrRookThatHasMovedDoesNotCastle) {
  EXPECT_FALSE(can_play<Knightmate>(
      board_after<Knightmate>(km("k7/8/8/8/8/8/8/4K2R w K - 0 1"), "e1d3 a8b6 d3e1 b6a8"), "e1g1"));
  EXPECT_FALSE(can_play<Knightmate>(
      board_after<Knightmate>(km("k7/8/8/8/8/8/8/4K2R w K - 0 1"), "h1h2 a8b6 h2h1 b6a8"), "e1g1"));
}

TEST(Knightmate, CastlingNeedsEmptySquaresBetween) {
  EXPECT_FALSE(legal("7k/8/8/8/8/8/8/RM2K3 w Q - 0 1", "e1c1"));
  EXPECT_FALSE(legal("7k/8/8/8/8/8/8/R1B1K3 w Q - 0 1", "e1c1"));
  EXPECT_FALSE(legal("k7/8/8/8/8/8/8/4K1MR w K - 0 1", "e1g1"));
}

TEST(Knightmate, CastlingIsNotAllowedOutOfThroughOrIntoCheck) {
  EXPECT_FALSE(legal("4r2k/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
  EXPECT_FALSE(legal("3r3k/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
  EXPECT_FALSE(legal("2r4k/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
  EXPECT_FALSE(legal("k7/8/8/8/8/8/6m1/4K2R w K - 0 1", "e1g1"));
  EXPECT_FALSE(legal("8/8/8/8/8/8/4k3/R3K2R w KQ - 0 1", "e1g1"));  // the royal knight guards g1 and c1
  EXPECT_FALSE(legal("8/8/8/8/8/8/4k3/R3K2R w KQ - 0 1", "e1c1"));
}

TEST(Knightmate, TheSquareBesideTheQueensideRookMayBeAttacked) {
  EXPECT_TRUE(legal("1r5k/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
  EXPECT_TRUE(legal("r3k3/8/8/8/8/8/8/1R5K b q - 0 1", "e8c8"));
}

TEST(Knightmate, TheRoyalKnightMayNotBeExposedToCheck) {
  EXPECT_FALSE(legal("4r2k/8/8/8/8/8/4M3/4K3 w - - 0 1", "e2d2"));
  EXPECT_TRUE(legal("4r2k/8/8/8/8/8/4M3/4K3 w - - 0 1", "e2e3"));
  EXPECT_FALSE(legal("3r3k/8/8/8/8/8/8/4K3 w - - 0 1", "e1d3"));
}

TEST(Knightmate, ABishopMatesInTheCorner) {
  EXPECT_EQ(end_of("k7/1B6/8/3K4/8/8/8/8 b - - 0 1"), Termination::Checkmate);
}

TEST(Knightmate, ALoneBishopOrCommonerIsNoDeadPosition) {
  EXPECT_EQ(end_of("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1"), std::nullopt);
  EXPECT_EQ(end_of("4k3/8/8/8/8/8/8/1M2K3 w - - 0 1"), std::nullopt);
  EXPECT_EQ(end_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Termination::DeadPosition);
}

TEST(Knightmate, StalemateIsADraw) {
  EXPECT_EQ(end_of("k7/2R5/2R5/8/8/8/8/7K b - - 0 1"), Termination::Stalemate);
}

TEST(Knightmate, ThereAreNoDropsAndCapturedMenLeave) {
  const std::string fen = fen_after("k7/8/8/3p4/4P3/8/8/7K w - - 0 1", "e4d5");
  EXPECT_EQ(fen, "k7/8/8/3P4/8/8/8/7K b - - 0 1");
  for (Move move : legal_moves<Knightmate>(km(fen))) EXPECT_FALSE(move.is_drop());
}

TEST(Knightmate, TheInitialSetupIsThatOfTheText) {
  const Board board = start_board<Knightmate>();
  const auto stand = [&](PieceType type, std::initializer_list<const char*> squares) {
    Bitboard expected;
    for (const char* s : squares)
      for (int rank : {0, 7}) expected |= Bitboard(make_square(s[0] - 'a', rank));
    EXPECT_EQ(board.men(type), expected) << piece_letter(type);
  };
  stand(PieceType::King, {"e"});
  stand(PieceType::Queen, {"d"});
  stand(PieceType::Rook, {"a", "h"});
  stand(PieceType::Bishop, {"c", "f"});
  stand(PieceType::Commoner, {"b", "g"});
  EXPECT_EQ(board.men(PieceType::Pawn), rank_mask(1) | rank_mask(6));
}

TEST(Knightmate, QueenRookAndBishopMoveAsInChess) {
  const char* fen = "1k6/8/8/8/3X4/8/1P6/K7 w - - 0 1";
  const auto count = [&](char man) {
    std::string own = fen;
    own[own.find('X')] = man;
    return texts_from(own, "d4").size();
  };
  EXPECT_EQ(count('R'), 14U);
  EXPECT_EQ(count('B'), 11U);
  EXPECT_EQ(count('Q'), 25U);
}

TEST(Knightmate, APawnMovesStraightAndTakesDiagonally) {
  EXPECT_EQ(texts_from("k7/8/8/3m1m2/4P3/8/8/7K w - - 0 1", "e4"), (Texts{"e4d5", "e4e5", "e4f5"}));
  EXPECT_EQ(texts_from("k7/8/8/4m3/4P3/8/8/7K w - - 0 1", "e4"), Texts{});
}

TEST(Knightmate, ADoublePushIsTakenInPassingOnTheNextMoveOnly) {
  const char* fen = "k7/8/8/8/3p4/8/4P3/7K w - - 0 1";
  EXPECT_TRUE(can_play<Knightmate>(board_after<Knightmate>(km(fen), "e2e4"), "d4e3"));
  EXPECT_FALSE(can_play<Knightmate>(board_after<Knightmate>(km(fen), "e2e4 a8b6 h1g3"), "d4e3"));
}

TEST(Knightmate, APawnNeverPromotesToARoyalOrAKnight) {
  EXPECT_FALSE(legal("8/P5k1/8/8/8/8/8/4K3 w - - 0 1", "a7a8k"));
  EXPECT_FALSE(legal("8/P5k1/8/8/8/8/8/4K3 w - - 0 1", "a7a8n"));
}

TEST(Knightmate, RoyalKnightsBesideEachOtherDoNotAttackEachOtherAndALeapApartTheyDo) {
  EXPECT_FALSE(is_check<Knightmate>(km("8/8/8/8/8/8/3k4/4K3 w - - 0 1")));
  EXPECT_FALSE(parse_fen<Knightmate>("8/8/8/8/8/3k4/8/4K3 w - - 0 1").ok());
}

TEST(Knightmate, TheGameIsWonByMatingTheRoyalKnight) {
  const auto outcome = Game<Knightmate>(km("k7/1B6/8/3K4/8/8/8/8 b - - 0 1")).outcome();
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->result_white, 1);
}

TEST(Knightmate, TheLossOfAllCommonersIsNoLoss) {
  EXPECT_EQ(end_of("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1"), std::nullopt);
}

TEST(Knightmate, BishopRookCommonerOrQueenBesideTheRoyalsIsNoDeadPosition) {
  for (const char* man : {"B", "M", "R", "Q", "P", "b", "m", "r", "q", "p"})
    EXPECT_EQ(end_of("4k3/8/8/" + std::string(man) + "7/8/8/8/3K4 w - - 0 1"), std::nullopt) << man;
}

}  // namespace
}  // namespace farrier
