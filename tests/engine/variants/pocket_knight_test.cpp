// Pocket Knight, sentence by sentence: one knight for each side, dropped once, never regained.
#include "engine/variants/pocket_knight.h"

#include <gtest/gtest.h>

#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

Board pk(std::string_view fen) { return board_from<PocketKnight>(fen); }
bool legal(std::string_view fen, std::string_view move) { return can_play<PocketKnight>(pk(fen), move); }
std::string fen_after(std::string_view fen, std::string_view moves) {
  return to_fen<PocketKnight>(board_after<PocketKnight>(pk(fen), moves));
}
int drops(const Board& board) {
  int count = 0;
  for (Move move : legal_moves<PocketKnight>(board)) count += move.is_drop();
  return count;
}
std::optional<Termination> end_after(std::string_view fen, std::string_view moves) {
  Game<PocketKnight> game(pk(fen));
  play_all(game, moves);
  const auto outcome = game.outcome();
  return outcome ? std::optional(outcome->termination) : std::nullopt;
}

TEST(PocketKnight, EachSideStartsWithOneKnightInItsPocket) {
  const Board board = start_board<PocketKnight>();
  EXPECT_EQ(board.in_hand(Color::White, PieceType::Knight), 1);
  EXPECT_EQ(board.in_hand(Color::Black, PieceType::Knight), 1);
  EXPECT_EQ(legal_moves<PocketKnight>(board).size(), 20U + 32U);
}

TEST(PocketKnight, TheKnightIsDroppedOnAnyEmptySquareAndOnNoOther) {
  EXPECT_EQ(drops(pk("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1")), 62);
  EXPECT_TRUE(legal("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@a1"));
  EXPECT_TRUE(legal("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@h8"));
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@e8"));
}

TEST(PocketKnight, ADropCountsAsAFullMove) {
  EXPECT_EQ(fen_after("4k3/8/8/8/8/8/8/4K3[Nn] w - - 4 9", "N@f3"), "4k3/8/8/8/8/5N2/8/4K3[n] b - - 0 9");
}

TEST(PocketKnight, EachSideDropsOnlyOnce) {
  const Board board = board_after<PocketKnight>(start_board<PocketKnight>(), "N@e4 N@e5");
  EXPECT_TRUE(board.hands_empty());
  EXPECT_EQ(drops(board), 0);
  EXPECT_EQ(drops(board_after<PocketKnight>(board, "a2a3")), 0);
}

TEST(PocketKnight, AKnightThatWasCapturedNeverReturnsToAPocket) {
  const std::string fen = fen_after(PocketKnight::kStartFen, "N@e4 d7d5 a2a3 d5e4 b2b3");
  EXPECT_EQ(fen, "rnbqkbnr/ppp1pppp/8/8/4p3/PP6/2PPPPPP/RNBQKBNR[n] b KQkq - 0 3");
  EXPECT_EQ(fen_after(fen, "N@d5 e2e3"), "rnbqkbnr/ppp1pppp/8/3n4/4p3/PP2P3/2PP1PPP/RNBQKBNR[] b KQkq - 0 4");
}

TEST(PocketKnight, CapturedMenLeaveTheGame) {
  EXPECT_EQ(fen_after("4k3/8/8/3n4/4P3/8/8/4K3[Nn] w - - 0 1", "e4d5"),
            "4k3/8/8/3P4/8/8/8/4K3[Nn] b - - 0 1");
}

TEST(PocketKnight, ADropMayGiveCheckBlockACheckAndMate) {
  EXPECT_TRUE(
      is_check<PocketKnight>(board_after<PocketKnight>(pk("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"), "N@f6")));
  EXPECT_EQ(drops(pk("R5k1/5ppp/8/8/8/8/8/6K1[n] b - - 0 1")), 5);
  EXPECT_EQ(end_after("6k1/5ppp/8/8/8/8/8/R5K1[n] w - - 0 1", "a1a8"), std::nullopt);
  EXPECT_EQ(end_after("6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "N@f7"), Termination::Checkmate);
}

TEST(PocketKnight, ASideThatHoldsItsKnightIsNotStalemated) {
  EXPECT_EQ(end_after("k7/8/1Q6/8/8/8/8/7K[] b - - 0 1", ""), Termination::Stalemate);
  EXPECT_EQ(end_after("k7/8/1Q6/8/8/8/8/7K[n] b - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("k7/8/1Q6/8/8/8/8/7K[N] b - - 0 1", ""), Termination::Stalemate);
}

TEST(PocketKnight, TheOtherRulesAreThoseOfChess) {
  EXPECT_EQ(fen_after("r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 0 1", "e1g1 e8c8"),
            "2kr3r/8/8/8/8/8/8/R4RK1[] w - - 2 2");
  EXPECT_EQ(fen_after("4k3/4p3/8/3P4/8/8/8/4K3[Nn] b - - 0 1", "e7e5 d5e6"),
            "4k3/8/4P3/8/8/8/8/4K3[Nn] b - - 0 2");
  EXPECT_EQ(fen_after("8/4P1k1/8/8/8/8/8/4K3[N] w - - 0 1", "e7e8n"), "4N3/6k1/8/8/8/8/8/4K3[N] b - - 0 1");
}

TEST(PocketKnight, APocketMakesAnotherPosition) {
  const Board with = pk("4k3/8/8/8/8/8/8/R3K3[N] w - - 0 1");
  const Board without = pk("4k3/8/8/8/8/8/8/R3K3[] w - - 0 1");
  const Board others = pk("4k3/8/8/8/8/8/8/R3K3[n] w - - 0 1");
  EXPECT_NE(with.key, without.key);
  EXPECT_NE(with.key, others.key);
}

TEST(PocketKnight, PocketKnightsCountAsIfTheyStoodOnTheBoard) {
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/4K3[] w - - 0 1", ""), Termination::DeadPosition);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", ""), Termination::DeadPosition);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/4K3[Nn] w - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/3NK3[N] w - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/3BK3[n] w - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/3BK3[] w - - 0 1", ""), Termination::DeadPosition);
}

TEST(PocketKnight, ADropResetsTheFiftyMoveCounter) {
  EXPECT_EQ(board_after<PocketKnight>(pk("4k3/8/8/8/8/8/8/R3K3[Nn] w - - 60 90"), "N@h1").halfmove_clock, 0);
  EXPECT_EQ(end_after("5k2/8/8/8/8/8/8/R4K2[N] w - - 99 90", "N@h1"), std::nullopt);
  EXPECT_EQ(end_after("5k2/8/8/8/8/8/8/R4K2[N] w - - 99 90", "a1a2"), Termination::FiftyMoves);
}

TEST(PocketKnight, AMoveOnTheBoardKeepsThePocket) {
  EXPECT_EQ(fen_after("4k3/8/8/8/8/8/8/R3K3[Nn] w Q - 0 1", "e1c1 e8f8"),
            "5k2/8/8/8/8/8/8/2KR4[Nn] w - - 2 2");
}

TEST(PocketKnight, NeitherCapturesNorPromotionsFillThePocket) {
  for_random_positions<PocketKnight>(32, 60, 200, [](const Board& board, const MoveList& moves) {
    for (Move move : moves) {
      const Board next = after<PocketKnight>(board, move);
      for (Color c : {Color::White, Color::Black}) {
        const bool drops_now = move.is_drop() && c == board.side_to_move;
        ASSERT_EQ(next.in_hand(c, PieceType::Knight),
                  board.in_hand(c, PieceType::Knight) - (drops_now ? 1 : 0))
            << to_fen<PocketKnight>(board) << " " << to_uci(move);
        for (PieceType t : {PieceType::Pawn, PieceType::Bishop, PieceType::Rook, PieceType::Queen})
          ASSERT_EQ(next.in_hand(c, t), 0);
      }
    }
  });
}

TEST(PocketKnight, WithoutTheDropTheBlockedCheckWouldBeMate) {
  EXPECT_EQ(end_after("R5k1/5ppp/8/8/8/8/8/6K1[] b - - 0 1", ""), Termination::Checkmate);
  EXPECT_EQ(end_after("R5k1/5ppp/8/8/8/8/8/6K1[N] b - - 0 1", ""), Termination::Checkmate);
  EXPECT_EQ(end_after("R5k1/5ppp/8/8/8/8/8/6K1[n] b - - 0 1", ""), std::nullopt);
}

TEST(PocketKnight, PositionsBeforeAndAfterADropDoNotRepeatEachOther) {
  // The dropped knight is taken, and the men stand as at first: only the pocket is gone.
  Game<PocketKnight> game(pk("r5k1/8/8/8/8/8/P7/6K1[N] w - - 0 1"));
  play_all(game, "g1h1 a8b8 h1g1 b8a8");
  EXPECT_EQ(game.repetitions(), 2);
  play_all(game, "N@d8 a8d8 g1h1 d8a8 h1g1 g8h8 g1h1 h8g8 h1g1 a8b8 g1h1 b8a8 h1g1 g8h8 g1h1 h8h7 h1g1 h7g8");
  EXPECT_EQ(to_fen<PocketKnight>(game.board()).substr(0, 26), "r5k1/8/8/8/8/8/P7/6K1[] w ");
  EXPECT_NE(game.keys().front(), game.board().key);
}

TEST(PocketKnight, BishopsAllOnOneColourAreDeadOnlyWithEmptyPockets) {
  EXPECT_EQ(end_after("4k3/8/8/b1B5/8/B7/8/4K3[] w - - 0 1", ""), Termination::DeadPosition);
  EXPECT_EQ(end_after("4k3/8/8/b1B5/8/B7/8/4K3[n] w - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("5k2/8/8/bB6/8/8/8/3K4[] w - - 0 1", ""), std::nullopt);
}

}  // namespace
}  // namespace farrier
