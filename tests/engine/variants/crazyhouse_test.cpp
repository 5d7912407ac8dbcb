// Crazyhouse, sentence by sentence: hands, drops, promoted men, repetition with hands.
#include "engine/variants/crazyhouse.h"

#include <gtest/gtest.h>

#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

Board zh(std::string_view fen) { return board_from<Crazyhouse>(fen); }
bool legal(std::string_view fen, std::string_view move) { return can_play<Crazyhouse>(zh(fen), move); }
std::string fen_after(std::string_view fen, std::string_view moves) {
  return to_fen<Crazyhouse>(board_after<Crazyhouse>(zh(fen), moves));
}
int drops_of(std::string_view fen, PieceType type) {
  int drops = 0;
  for (Move move : legal_moves<Crazyhouse>(zh(fen))) drops += move.is_drop() && move.dropped() == type;
  return drops;
}
std::optional<Termination> end_after(std::string_view fen, std::string_view moves) {
  Game<Crazyhouse> game(zh(fen));
  play_all(game, moves);
  const auto outcome = game.outcome();
  return outcome ? std::optional(outcome->termination) : std::nullopt;
}

TEST(Crazyhouse, TheStartIsThatOfChessWithEmptyHands) {
  EXPECT_TRUE(start_board<Crazyhouse>().hands_empty());
  EXPECT_EQ(legal_moves<Crazyhouse>(start_board<Crazyhouse>()).size(), 20U);
}

TEST(Crazyhouse, ACapturedManChangesColourAndEntersTheHand) {
  EXPECT_EQ(fen_after("4k3/8/8/3n4/4P3/8/8/4K3[] w - - 0 1", "e4d5"), "4k3/8/8/3P4/8/8/8/4K3[N] b - - 0 1");
  EXPECT_EQ(fen_after("4k3/8/8/3n4/8/4B3/8/4K3[] b - - 0 1", "d5e3"), "4k3/8/8/8/8/4n3/8/4K3[b] w - - 0 2");
}

TEST(Crazyhouse, ADropPutsTheManOnTheBoardAndEndsTheTurn) {
  EXPECT_EQ(fen_after("4k3/8/8/8/8/8/8/4K3[QNp] w - - 0 1", "N@f3"), "4k3/8/8/8/8/5N2/8/4K3[Qp] b - - 0 1");
  EXPECT_EQ(fen_after("4k3/8/8/8/8/8/8/4K3[QNp] w - - 0 1", "N@f3 P@d5"),
            "4k3/8/8/3p4/8/5N2/8/4K3[Q] w - - 0 2");
}

TEST(Crazyhouse, AManMayBeDroppedOnAnyEmptySquareAndOnNoOther) {
  for (PieceType type : {PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen}) {
    const std::string hand(1, static_cast<char>(piece_letter(type) - 'a' + 'A'));
    EXPECT_EQ(drops_of("4k3/8/8/8/8/8/8/4K3[" + hand + "] w - - 0 1", type), 62);
    EXPECT_EQ(drops_of("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[" + hand + "] w - - 0 1", type), 46);
  }
}

TEST(Crazyhouse, APawnIsNeverDroppedOnTheFirstOrTheLastRank) {
  EXPECT_EQ(drops_of("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", PieceType::Pawn), 48);
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@a1"));
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@a8"));
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/4K3[p] b - - 0 1", "P@a1"));
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/4K3[p] b - - 0 1", "P@a8"));
  EXPECT_TRUE(legal("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@a7"));
  EXPECT_TRUE(legal("4k3/8/8/8/8/8/8/4K3[p] b - - 0 1", "P@a2"));
}

TEST(Crazyhouse, OnlyMenOfOnesOwnHandAreDropped) {
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/4K3[n] w - - 0 1", "N@f3"));
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "B@f3"));
}

TEST(Crazyhouse, ADropMayGiveCheck) {
  const Board board = board_after<Crazyhouse>(zh("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"), "N@f6");
  EXPECT_TRUE(is_check<Crazyhouse>(board));
}

TEST(Crazyhouse, ADropMayMate) {
  EXPECT_EQ(end_after("6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "N@f7"), Termination::Checkmate);
}

TEST(Crazyhouse, APawnDropMayMate) {
  EXPECT_EQ(end_after("6bk/7p/8/5N2/8/8/8/K7[P] w - - 0 1", "P@g7"), Termination::Checkmate);
}

TEST(Crazyhouse, TheDefendersOwnDropMayAnswerTheCheck) {
  EXPECT_EQ(end_after("6k1/5ppp/8/8/8/8/8/R5K1[] w - - 0 1", "a1a8"), Termination::Checkmate);
  EXPECT_EQ(end_after("6k1/5ppp/8/8/8/8/8/R5K1[n] w - - 0 1", "a1a8"), std::nullopt);
  EXPECT_EQ(end_after("6k1/5ppp/8/8/8/8/8/R5K1[p] w - - 0 1", "a1a8"), Termination::Checkmate);
}

TEST(Crazyhouse, InCheckADropMustBlockTheLine) {
  const std::vector<std::string> expected{"N@b8", "N@c8", "N@d8", "N@e8", "N@f8"};
  EXPECT_EQ(legal_texts<Crazyhouse>(zh("R5k1/5ppp/8/8/8/8/8/6K1[n] b - - 0 1")), expected);
}

TEST(Crazyhouse, NoDropAnswersTheCheckOfAKnightOrADoubleCheck) {
  EXPECT_EQ(drops_of("7k/5N2/8/8/8/8/8/K7[qrbnp] b - - 0 1", PieceType::Queen), 0);
  EXPECT_EQ(drops_of("4k3/8/3N4/8/8/8/8/K3R3[qrbnp] b - - 0 1", PieceType::Queen), 0);
}

TEST(Crazyhouse, APawnPromotesToQueenRookBishopOrKnightWithAMark) {
  const char* fen = "8/4P1k1/8/8/8/8/8/4K3[] w - - 0 1";
  EXPECT_EQ(fen_after(fen, "e7e8q"), "4Q~3/6k1/8/8/8/8/8/4K3[] b - - 0 1");
  EXPECT_EQ(fen_after(fen, "e7e8r"), "4R~3/6k1/8/8/8/8/8/4K3[] b - - 0 1");
  EXPECT_EQ(fen_after(fen, "e7e8b"), "4B~3/6k1/8/8/8/8/8/4K3[] b - - 0 1");
  EXPECT_EQ(fen_after(fen, "e7e8n"), "4N~3/6k1/8/8/8/8/8/4K3[] b - - 0 1");
}

TEST(Crazyhouse, CapturedPromotedQueenEntersTheHandAsAPawn) {
  EXPECT_EQ(fen_after("3rk3/8/8/3Q~4/8/8/8/4K3[] b - - 0 1", "d8d5"), "4k3/8/8/3r4/8/8/8/4K3[p] w - - 0 2");
}

TEST(Crazyhouse, CapturedQueenWithoutAMarkEntersTheHandAsAQueen) {
  EXPECT_EQ(fen_after("3rk3/8/8/3Q4/8/8/8/4K3[] b - - 0 1", "d8d5"), "4k3/8/8/3r4/8/8/8/4K3[q] w - - 0 2");
}

TEST(Crazyhouse, TheMarkMovesWithTheManAndLeavesNothingBehind) {
  EXPECT_EQ(fen_after("4k3/8/8/3Q~4/8/8/8/4K3[] w - - 0 1", "d5a5"), "4k3/8/8/Q~7/8/8/8/4K3[] b - - 1 1");
  EXPECT_EQ(fen_after("4k3/8/8/3Q~4/8/8/8/4K3[N] w - - 0 1", "d5a5 e8e7 N@d5"),
            "8/4k3/8/Q~2N4/8/8/8/4K3[] b - - 0 2");
}

TEST(Crazyhouse, TheManThatTakesAPromotedManIsNotMarked) {
  EXPECT_EQ(fen_after("3nk3/8/2Q~5/8/8/8/8/4K3[] b - - 0 1", "d8c6"), "4k3/8/2n5/8/8/8/8/4K3[p] w - - 0 2");
}

TEST(Crazyhouse, AMarkedManKeepsItsMarkWhenItTakes) {
  EXPECT_EQ(fen_after("3rk3/8/8/3Q~4/8/8/8/4K3[] w - - 0 1", "d5d8"), "3Q~k3/8/8/8/8/8/8/4K3[R] b - - 0 1");
}

TEST(Crazyhouse, TakingInPassingGivesAPawnInHand) {
  EXPECT_EQ(fen_after("4k3/4p3/8/3P4/8/8/8/4K3[] b - - 0 1", "e7e5 d5e6"),
            "4k3/8/4P3/8/8/8/8/4K3[P] b - - 0 2");
}

TEST(Crazyhouse, APromotionThatTakesFillsTheHand) {
  EXPECT_EQ(fen_after("r3k3/1P6/8/8/8/8/8/4K3[] w - - 0 1", "b7a8n"), "N~3k3/8/8/8/8/8/8/4K3[R] b - - 0 1");
}

TEST(Crazyhouse, AnyDropResetsTheFiftyMoveCounter) {
  EXPECT_EQ(fen_after("4k3/8/8/8/8/8/8/4K3[QP] w - - 42 70", "Q@a1"), "4k3/8/8/8/8/8/8/Q3K3[P] b - - 0 70");
  EXPECT_EQ(fen_after("4k3/8/8/8/8/8/8/4K3[QP] w - - 42 70", "P@a2"), "4k3/8/8/8/8/8/P7/4K3[Q] b - - 0 70");
}

TEST(Crazyhouse, ARookDroppedOnItsCornerNeverCastles) {
  const Board board = board_after<Crazyhouse>(zh("4k3/8/8/8/8/8/6b1/4K2R[R] b K - 0 1"),
                                              "g2h1 e1e2 h1d5 e2e1 e8d8 R@h1 d8e8");
  EXPECT_EQ(board.castling, 0);
  EXPECT_FALSE(can_play<Crazyhouse>(board, "e1g1"));
}

TEST(Crazyhouse, TheRightEndsWithTheRookEvenIfAnotherIsDroppedThere) {
  // The king never moves: the knight retakes, leaves, and a rook is dropped on the corner.
  const Board board = board_after<Crazyhouse>(zh("4k3/8/8/8/8/8/5Nb1/4K2R[R] b K - 0 1"),
                                              "g2h1 f2h1 e8d8 h1g3 d8e8 R@h1 e8d8");
  EXPECT_FALSE(can_play<Crazyhouse>(board, "e1g1"));
}

TEST(Crazyhouse, APawnDroppedOnItsSecondRankMayMakeTheDoubleStepAndBeTakenInPassing) {
  const Board board = board_after<Crazyhouse>(zh("4k3/8/8/8/3p4/8/8/4K3[P] w - - 0 1"), "P@e2 e8d8 e2e4");
  EXPECT_EQ(board.en_passant, make_square(4, 2));
  EXPECT_TRUE(can_play<Crazyhouse>(board, "d4e3"));
}

TEST(Crazyhouse, ADropNeverMakesAnEnPassantSquare) {
  const Board board = board_after<Crazyhouse>(zh("4k3/8/8/8/3p4/8/8/4K3[P] w - - 0 1"), "P@e4");
  EXPECT_EQ(board.en_passant, Square::None);
  EXPECT_FALSE(can_play<Crazyhouse>(board, "d4e3"));
}

TEST(Crazyhouse, ADropClosesAnOpenEnPassantSquare) {
  const Board board = board_after<Crazyhouse>(zh("4k3/8/8/8/3p4/8/4P3/4K3[n] w - - 0 1"), "e2e4 N@a8");
  EXPECT_EQ(board.en_passant, Square::None);
}

TEST(Crazyhouse, ASideWithALegalDropIsNotStalemated) {
  EXPECT_EQ(end_after("k7/8/1Q6/8/8/8/8/7K[] b - - 0 1", ""), Termination::Stalemate);
  EXPECT_EQ(end_after("k7/8/1Q6/8/8/8/8/7K[p] b - - 0 1", ""), std::nullopt);
}

TEST(Crazyhouse, PositionsThatDifferInAHandDoNotRepeatEachOther) {
  // The men stand as at first, but a pawn went from one hand to the other.
  Game<Crazyhouse> game(zh("4q1k1/8/8/8/8/8/8/6K1[PP] w - - 0 1"));
  play_all(game, "P@e4 e8e4 g1f2 e4e7 f2g1 e7e8");
  EXPECT_EQ(to_fen<Crazyhouse>(game.board()).substr(0, 40), "4q1k1/8/8/8/8/8/8/6K1[Pp] w - - 4 4");
  EXPECT_EQ(game.repetitions(), 1);
}

TEST(Crazyhouse, APositionRepeatsAcrossCapturesAndDrops) {
  Game<Crazyhouse> game(zh("3q2k1/8/8/3p4/4P3/8/8/6K1[] w - - 0 1"));
  const char* cycle = "e4d5 d8d5 P@e4 d5d6 g1h1 d6d8 h1g1 P@d5";
  play_all(game, cycle);
  EXPECT_EQ(game.board().halfmove_clock, 0);
  EXPECT_EQ(game.repetitions(), 2);
  EXPECT_FALSE(game.outcome().has_value());
  play_all(game, cycle);
  EXPECT_EQ(game.repetitions(), 3);
  ASSERT_TRUE(game.outcome().has_value());
  EXPECT_EQ(game.outcome()->termination, Termination::Repetition);
}

TEST(Crazyhouse, PositionsThatDifferInAMarkDoNotRepeatEachOther) {
  const Board with = zh("4k3/8/8/3Q~4/8/8/8/4K3[] w - - 0 1");
  const Board without = zh("4k3/8/8/3Q4/8/8/8/4K3[] w - - 0 1");
  EXPECT_NE(with.key, without.key);
}

TEST(Crazyhouse, OnlyBareKingsWithEmptyHandsAreADeadPosition) {
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/4K3[] w - - 0 1", ""), Termination::DeadPosition);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/4K3[p] w - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/4K3[B] w - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/3NK3[] w - - 0 1", ""), std::nullopt);
}

TEST(Crazyhouse, CastlingIsThatOfChess) {
  const char* fen = "r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 3 10";
  EXPECT_EQ(fen_after(fen, "e1g1 e8c8"), "2kr3r/8/8/8/8/8/8/R4RK1[] w - - 5 11");
  EXPECT_FALSE(legal("r3k2r/8/8/8/8/8/6n1/R3K2R[] w KQkq - 0 1", "e1g1"));
}

TEST(Crazyhouse, APositionShowsBothHandsToBothSides) {
  const std::string fen = fen_after("4k3/8/8/3n4/4P3/8/8/4K3[p] w - - 0 1", "e4d5");
  EXPECT_EQ(fen, "4k3/8/8/3P4/8/8/8/4K3[Np] b - - 0 1");
}

TEST(Crazyhouse, ADropNeedsNoManNearNorADefender) {
  EXPECT_TRUE(legal("4k3/8/8/8/8/q7/8/4K3[P] w - - 0 1", "P@b4"));
  EXPECT_TRUE(legal("4k3/8/8/8/8/q7/8/4K3[Q] w - - 0 1", "Q@a4"));
}

TEST(Crazyhouse, NoManIsDroppedOnTheKingsOwnSquareToEscapeCheck) {
  EXPECT_FALSE(legal("R5k1/5ppp/8/8/8/8/8/6K1[n] b - - 0 1", "N@g8"));
  EXPECT_FALSE(legal("R5k1/5ppp/8/8/8/8/8/6K1[n] b - - 0 1", "N@g1"));
}

TEST(Crazyhouse, ADropThatDoesNotMeetTheCheckIsNotLegal) {
  EXPECT_FALSE(legal("R5k1/5ppp/8/8/8/8/8/6K1[qrbnp] b - - 0 1", "Q@g2"));
  EXPECT_FALSE(legal("R5k1/5ppp/8/8/8/8/8/6K1[qrbnp] b - - 0 1", "P@e7"));
}

TEST(Crazyhouse, APawnDropBlocksACheckOffTheEndRanks) {
  EXPECT_TRUE(legal("8/6k1/8/8/8/2B5/8/6K1[p] b - - 0 1", "P@d4"));
  EXPECT_EQ(drops_of("8/6k1/8/8/8/2B5/8/6K1[p] b - - 0 1", PieceType::Pawn), 3);
}

TEST(Crazyhouse, AKingNeverEntersAHand) {
  for_random_positions<Crazyhouse>(31, 60, 200, [](const Board& board, const MoveList& moves) {
    for (Move move : moves) {
      const PieceType gained = move.is_drop() ? move.dropped() : board.at(move.to()).type();
      ASSERT_NE(gained, PieceType::King) << to_fen<Crazyhouse>(board) << " " << to_uci(move);
    }
  });
}

TEST(Crazyhouse, CapturedPromotedRookBishopAndKnightEnterTheHandAsPawnsToo) {
  for (const char* man : {"R", "B", "N"})
    EXPECT_EQ(fen_after("3rk3/8/8/3" + std::string(man) + "~4/8/8/8/4K3[] b - - 0 1", "d8d5"),
              "4k3/8/8/3r4/8/8/8/4K3[p] w - - 0 2");
}

TEST(Crazyhouse, APromotedManTakenByAPromotedManIsAPawnInHand) {
  EXPECT_EQ(fen_after("3r~k3/8/8/3Q~4/8/8/8/4K3[] b - - 0 1", "d8d5"), "4k3/8/8/3r~4/8/8/8/4K3[p] w - - 0 2");
}

TEST(Crazyhouse, AManDroppedFromTheHandCarriesNoMark) {
  EXPECT_EQ(fen_after("3rk3/8/8/3Q~4/8/8/8/4K3[] b - - 0 1", "d8d5 e1e2 P@d7"),
            "4k3/3p4/8/3r4/8/8/4K3/8[] w - - 0 3");
}

TEST(Crazyhouse, BlackTakingInPassingGetsAPawnInHandToo) {
  EXPECT_EQ(fen_after("4k3/8/8/8/3p4/8/4P3/4K3[] w - - 0 1", "e2e4 d4e3"),
            "4k3/8/8/8/8/4p3/8/4K3[p] w - - 0 2");
}

TEST(Crazyhouse, AnyDropOfEitherSideResetsTheFiftyMoveCounter) {
  for (const char* drop : {"Q@a4", "R@a4", "B@a4", "N@a4", "P@a4"}) {
    EXPECT_EQ(board_after<Crazyhouse>(zh("5k2/8/8/8/8/8/8/5K2[QRBNPqrbnp] w - - 42 70"), drop).halfmove_clock,
              0);
    EXPECT_EQ(board_after<Crazyhouse>(zh("5k2/8/8/8/8/8/8/5K2[QRBNPqrbnp] b - - 42 70"), drop).halfmove_clock,
              0);
  }
}

TEST(Crazyhouse, ADropOnTheHundredthPlyIsNoDraw) {
  EXPECT_EQ(end_after("5k2/8/8/8/8/8/8/R4K2[N] w - - 99 90", "N@h1"), std::nullopt);
  EXPECT_EQ(end_after("5k2/8/8/8/8/8/8/R4K2[N] w - - 99 90", "a1a2"), Termination::FiftyMoves);
}

TEST(Crazyhouse, ARookDroppedOnAnyOfTheFourCornersNeverCastles) {
  const auto cannot = [](std::string_view fen, std::string_view moves, std::string_view castling) {
    const Board board = board_after<Crazyhouse>(zh(fen), moves);
    EXPECT_EQ(board.castling, 0) << fen;
    EXPECT_FALSE(can_play<Crazyhouse>(board, castling)) << fen;
  };
  cannot("4k3/8/8/8/8/8/P5b1/4K2R[R] b K - 0 1", "g2h1 a2a3 h1d5 R@h1 e8d8", "e1g1");
  cannot("4k3/8/8/8/8/8/1b5P/R3K3[R] b Q - 0 1", "b2a1 h2h3 a1e5 R@a1 e8d8", "e1c1");
  cannot("4k2r/p5B1/8/8/8/8/8/4K3[r] w k - 0 1", "g7h8 a7a6 h8d4 R@h8 e1d1", "e8g8");
  cannot("r3k3/1B5p/8/8/8/8/8/4K3[r] w q - 0 1", "b7a8 h7h6 a8e4 R@a8 e1d1", "e8c8");
}

TEST(Crazyhouse, ABlackPawnDroppedOnItsSecondRankMayMakeTheDoubleStepAndBeTakenInPassing) {
  const Board board = board_after<Crazyhouse>(zh("4k3/8/8/3P4/8/8/8/4K3[p] b - - 0 1"), "P@e7 e1d1 e7e5");
  EXPECT_EQ(board.en_passant, make_square(4, 5));
  EXPECT_EQ(to_fen<Crazyhouse>(board_after<Crazyhouse>(board, "d5e6")), "4k3/8/4P3/8/8/8/8/3K4[P] b - - 0 3");
}

TEST(Crazyhouse, NoMoveButADropIsNeitherStalemateNorMate) {
  EXPECT_EQ(end_after("k7/8/1Q6/8/8/8/8/7K[n] b - - 0 1", ""), std::nullopt);
  for (const std::string& text : legal_texts<Crazyhouse>(zh("k7/8/1Q6/8/8/8/8/7K[n] b - - 0 1")))
    EXPECT_TRUE(text.starts_with("N@")) << text;
}

TEST(Crazyhouse, APositionRepeatsAcrossPawnMovesCapturesAndDropsBackToTheStart) {
  const char* start = "r5k1/8/8/8/8/8/P7/6K1[] w - - 0 1";
  const char* cycle = "a2a3 a8a3 g1h1 a3a5 h1g1 P@f2 g1f2 a5a8 f2g1 g8h8 P@a2 h8g8";
  Game<Crazyhouse> game(zh(start));
  play_all(game, cycle);
  EXPECT_EQ(game.repetitions(), 2);
  EXPECT_FALSE(game.outcome().has_value());
  play_all(game, cycle);
  EXPECT_EQ(game.repetitions(), 3);
  ASSERT_TRUE(game.outcome().has_value());
  EXPECT_EQ(game.outcome()->termination, Termination::Repetition);
}

TEST(Crazyhouse, TwoQueensThatChangePlacesAreNoRepetitionIfOneIsMarked) {
  const char* moves = "a1b1 f8e8 a2a1 e8f8 b1b2 f8e8 b2a2 e8f8";
  Game<Crazyhouse> plain(zh("5k2/8/8/8/8/8/Q7/Q6K[] w - - 0 1"));
  play_all(plain, moves);
  EXPECT_EQ(plain.repetitions(), 2);
  Game<Crazyhouse> marked(zh("5k2/8/8/8/8/8/Q7/Q~6K[] w - - 0 1"));
  play_all(marked, moves);
  EXPECT_EQ(marked.repetitions(), 1);
  play_all(marked, moves);
  EXPECT_EQ(marked.repetitions(), 2);
}

TEST(Crazyhouse, WithOneManMoreOnTheBoardOrInAHandNoPositionIsDead) {
  for (const char* hand : {"P", "N", "B", "R", "Q", "p", "n", "b", "r", "q"})
    EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/4K3[" + std::string(hand) + "] w - - 0 1", ""), std::nullopt)
        << hand;
  for (const char* man : {"N", "B", "n", "b", "N~", "B~"})
    EXPECT_EQ(end_after("4k3/8/8/" + std::string(man) + "7/8/8/8/4K3[] w - - 0 1", ""), std::nullopt) << man;
}

}  // namespace
}  // namespace farrier
