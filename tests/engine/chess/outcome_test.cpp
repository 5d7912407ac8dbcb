// How games end by the rules that all variants share: mate, stalemate, repetition, fifty moves.
#include "engine/chess/outcome.h"

#include <gtest/gtest.h>

#include "tests/support/rules_testing.h"

namespace farrier {

namespace {

template <VariantRules R>
std::optional<Outcome> outcome_of(std::string_view fen) {
  return Game<R>(board_from<R>(fen)).outcome();
}

void expect_ends(const std::optional<Outcome>& outcome, Termination termination, int result_white) {
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->termination, termination) << termination_name(outcome->termination);
  EXPECT_EQ(outcome->result_white, result_white);
}

template <VariantRules R>
class Ends : public testing::Test {};
TYPED_TEST_SUITE(Ends, AllRules, RulesName);

TYPED_TEST(Ends, TheStartPositionIsNoEnd) {
  EXPECT_FALSE(Game<TypeParam>().outcome().has_value());
  EXPECT_EQ(Game<TypeParam>().plies(), 0);
  EXPECT_EQ(Game<TypeParam>().repetitions(), 1);
}

TYPED_TEST(Ends, TheThirdStandingOfAPositionIsADraw) {
  // Rooks go to and fro, so the moves are the same in all variants. Other rights stand at first: no king moves.
  Game<TypeParam> game(board_from<TypeParam>("r3k3/p7/8/8/8/8/P7/R3K3 w - - 0 1"));
  play_all(game, "a1b1 a8b8 b1a1 b8a8");
  EXPECT_EQ(game.repetitions(), 2);
  EXPECT_FALSE(game.outcome().has_value());
  play_all(game, "a1b1 a8b8 b1a1");
  EXPECT_EQ(game.repetitions(), 2);
  EXPECT_FALSE(game.outcome().has_value());
  play_all(game, "b8a8");
  EXPECT_EQ(game.repetitions(), 3);
  expect_ends(game.outcome(), Termination::Repetition, 0);
}

TYPED_TEST(Ends, LostCastlingRightsMakeAnotherPosition) {
  Game<TypeParam> game(board_from<TypeParam>("r3k3/p7/8/8/8/8/P7/R3K3 w Qq - 0 1"));
  play_all(game, "a1b1 a8b8 b1a1 b8a8");
  EXPECT_EQ(game.repetitions(), 1);
  play_all(game, "a1b1 a8b8 b1a1 b8a8");
  EXPECT_EQ(game.repetitions(), 2);
}

TYPED_TEST(Ends, AnEnPassantPossibilityMakesAnotherPosition) {
  Game<TypeParam> game(board_from<TypeParam>("r7/7k/8/8/3p4/8/4P3/R6K w - - 0 1"));
  play_all(game, "e2e4");
  ASSERT_NE(game.board().en_passant, Square::None);
  play_all(game, "a8b8 a1b1 b8a8 b1a1");
  EXPECT_EQ(game.repetitions(), 1);
  play_all(game, "a8b8 a1b1 b8a8 b1a1");
  EXPECT_EQ(game.repetitions(), 2);
}

TYPED_TEST(Ends, AnEnPassantSquareWithoutALegalCaptureDoesNotMakeAnotherPosition) {
  // The pawn beside is pinned to its royal man on the file.
  Game<TypeParam> game(board_from<TypeParam>("r2k4/8/8/8/3p4/8/4P3/R2R3K w - - 0 1"));
  play_all(game, "e2e4");
  EXPECT_EQ(game.board().en_passant, Square::None);
  play_all(game, "a8b8 a1b1 b8a8 b1a1");
  EXPECT_EQ(game.repetitions(), 2);
}

TYPED_TEST(Ends, AHundredPliesWithoutCaptureOrPawnMoveAreADraw) {
  Game<TypeParam> game(board_from<TypeParam>("r6k/8/8/8/8/8/P7/R6K w - - 98 80"));
  EXPECT_FALSE(game.outcome().has_value());
  play_all(game, "a1b1");
  EXPECT_EQ(game.board().halfmove_clock, 99);
  EXPECT_FALSE(game.outcome().has_value());
  play_all(game, "a8c8");
  expect_ends(game.outcome(), Termination::FiftyMoves, 0);
}

TYPED_TEST(Ends, CapturesAndPawnMovesResetTheFiftyMoves) {
  const Board board = board_from<TypeParam>("r6k/8/8/8/8/8/P7/R6K w - - 99 80");
  EXPECT_EQ(board_after<TypeParam>(board, "a2a3").halfmove_clock, 0);
  EXPECT_EQ(board_after<TypeParam>(board_from<TypeParam>("r6k/8/8/8/8/8/1P6/R6K w - - 99 80"), "a1a8")
                .halfmove_clock,
            0);
  EXPECT_EQ(board_after<TypeParam>(board, "a1b1").halfmove_clock, 100);
}

TYPED_TEST(Ends, AMateOnTheHundredthPlyWins) {
  const bool leaps = TypeParam::kRoyalLeapsAsKnight;
  Game<TypeParam> game(board_from<TypeParam>(leaps ? "k7/2R5/2R5/8/8/8/3Q4/7K w - - 99 80"
                                                   : "k7/2R5/8/8/8/8/3Q4/7K w - - 99 80"));
  play_all(game, leaps ? "d2a2" : "d2d8");
  EXPECT_EQ(game.board().halfmove_clock, 100);
  expect_ends(game.outcome(), Termination::Checkmate, 1);
}

TYPED_TEST(Ends, TheMatedSideLoses) {
  const char* white_mated =
      TypeParam::kRoyalLeapsAsKnight ? "7k/8/8/q7/8/2r5/2r5/K7 w - - 0 1" : "k7/8/8/8/8/8/2r5/K2q4 w - - 0 1";
  expect_ends(outcome_of<TypeParam>(white_mated), Termination::Checkmate, -1);
}

TYPED_TEST(Ends, StalemateIsADraw) {
  // No man in hand: a drop would be a legal move.
  const char* fen =
      TypeParam::kRoyalLeapsAsKnight ? "k7/2R5/2R5/8/8/8/8/7K b - - 0 1" : "k7/8/1Q6/8/8/8/8/7K b - - 0 1";
  expect_ends(outcome_of<TypeParam>(fen), Termination::Stalemate, 0);
}

TYPED_TEST(Ends, BareRoyalMenAreADeadPosition) {
  expect_ends(outcome_of<TypeParam>("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Termination::DeadPosition, 0);
}

TYPED_TEST(Ends, APawnARookOrAQueenKeepsThePositionAlive) {
  for (const char* man : {"P", "R", "Q", "p", "r", "q"})
    EXPECT_FALSE(outcome_of<TypeParam>("4k3/8/8/" + std::string(man) + "7/8/8/8/3K4 w - - 0 1").has_value())
        << man;
}

TEST(EndsOfChess, OneMinorManIsADeadPosition) {
  for (const char* man : {"B", "N", "b", "n"})
    expect_ends(outcome_of<StandardRules>("4k3/8/8/" + std::string(man) + "7/8/8/8/4K3 w - - 0 1"),
                Termination::DeadPosition, 0);
}

TEST(EndsOfChess, BishopsAllOnOneColourAreADeadPosition) {
  expect_ends(outcome_of<StandardRules>("4k3/8/8/b1B5/8/B7/8/4K3 w - - 0 1"), Termination::DeadPosition, 0);
}

TEST(EndsOfChess, BishopsOnBothColoursTwoKnightsOrBishopAndKnightAreAlive) {
  EXPECT_FALSE(outcome_of<StandardRules>("5k2/8/8/bB6/8/8/8/3K4 w - - 0 1").has_value());
  EXPECT_FALSE(outcome_of<StandardRules>("4k3/8/8/NN6/8/8/8/3K4 w - - 0 1").has_value());
  EXPECT_FALSE(outcome_of<StandardRules>("4k3/8/8/Nn6/8/8/8/3K4 w - - 0 1").has_value());
  EXPECT_FALSE(outcome_of<StandardRules>("5k2/8/8/NB6/8/8/8/3K4 w - - 0 1").has_value());
}

TEST(Terminations, EachHasItsOwnName) {
  EXPECT_EQ(termination_name(Termination::Checkmate), "checkmate");
  EXPECT_EQ(termination_name(Termination::FiftyMoves), "fifty moves");
  EXPECT_EQ(termination_name(Termination::PlyLimit), "ply limit");
}

TYPED_TEST(Ends, TheDrawByRepetitionAppliesByItself) {
  // Nobody claims: the outcome says so at once.
  Game<TypeParam> game(board_from<TypeParam>("r6k/8/8/8/8/8/P7/R6K w - - 0 1"));
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(game.outcome().has_value());
    play_all(game, "a1b1 a8b8 b1a1 b8a8");
  }
  expect_ends(game.outcome(), Termination::Repetition, 0);
}

TYPED_TEST(Ends, AnotherSideToMoveMakesAnotherPosition) {
  EXPECT_NE(board_from<TypeParam>("r6k/8/8/8/8/8/P7/R6K w - - 0 1").key,
            board_from<TypeParam>("r6k/8/8/8/8/8/P7/R6K b - - 0 1").key);
  // The rook loses a tempo: the same men stand, and the other side is to move.
  Game<TypeParam> game(board_from<TypeParam>("r6k/8/8/8/8/8/P7/R6K w - - 0 1"));
  play_all(game, "a1b1 a8b8 b1c1 b8a8 c1a1");
  EXPECT_EQ(game.repetitions(), 1);
}

TYPED_TEST(Ends, ClocksDoNotMakeAnotherPosition) {
  EXPECT_EQ(board_from<TypeParam>("r6k/8/8/8/8/8/P7/R6K w - - 0 1").key,
            board_from<TypeParam>("r6k/8/8/8/8/8/P7/R6K w - - 40 90").key);
}

TYPED_TEST(Ends, TheLookBackReachesToTheStartOfTheGame) {
  Game<TypeParam> game(board_from<TypeParam>("r6k/p7/8/8/8/8/P7/R6K w - - 0 1"));
  for (int round = 0; round < 2; ++round) {
    // Both rooks wander along their ranks and back: 24 plies.
    const std::string files = "abcdefgfedcba";
    for (std::size_t i = 0; i + 1 < files.size(); ++i)
      for (const char* rank : {"1", "8"})
        play_all(game, files[i] + (rank + (files[i + 1] + std::string(rank))));
    EXPECT_EQ(game.repetitions(), round + 2);
  }
  EXPECT_EQ(game.plies(), 48);
  expect_ends(game.outcome(), Termination::Repetition, 0);
}

TYPED_TEST(Ends, StalemateGoesBeforeTheFiftyMoves) {
  const char* fen = TypeParam::kRoyalLeapsAsKnight ? "k7/2R5/2R5/8/8/8/8/7K b - - 100 90"
                                                   : "k7/8/1Q6/8/8/8/8/7K b - - 100 90";
  expect_ends(outcome_of<TypeParam>(fen), Termination::Stalemate, 0);
}

}  // namespace
}  // namespace farrier
