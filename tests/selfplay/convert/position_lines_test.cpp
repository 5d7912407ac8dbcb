// Positions as lines, with the views that other programs expect.
#include "selfplay/convert/position_lines.h"

#include <gtest/gtest.h>

#include "engine/chess/fen.h"
#include "engine/chess/notation.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

PositionRow row_of(std::string_view fen, std::string_view move, int score_cp_stm, int result_white) {
  const Board board = *parse_fen<Crazyhouse>(fen);
  return {board, *parse_uci_move<Crazyhouse>(board, move), score_cp_stm, result_white};
}

constexpr std::string_view kWhiteToMove = "rnbqkbnr/ppp1pppp/8/8/8/8/PPP1PPPP/RNBQKBNR[Pp] w KQkq - 2 3";
constexpr std::string_view kBlackToMove = "rnbqkbnr/ppp1pppp/8/8/8/8/PPP1PPPP/RNBQKBNR[Pp] b KQkq - 2 3";

TEST(TextLine, TellsScoreAndResultFromWhitesSide) {
  EXPECT_EQ(to_text_line<Crazyhouse>(row_of(kWhiteToMove, "P@d4", 35, 1)),
            std::string(kWhiteToMove) + " | 35 | 1.0\n");
  EXPECT_EQ(to_text_line<Crazyhouse>(row_of(kBlackToMove, "P@d5", 35, -1)),
            std::string(kBlackToMove) + " | -35 | 0.0\n");
  EXPECT_EQ(to_text_line<Crazyhouse>(row_of(kBlackToMove, "P@d5", 0, 0)),
            std::string(kBlackToMove) + " | 0 | 0.5\n");
}

TEST(TextLine, IsReadBack) {
  const auto row = parse_text_line<Crazyhouse>(std::string(kBlackToMove) + "|  -35 | 0.0 \r");
  ASSERT_TRUE(row.ok()) << row.reason();
  EXPECT_EQ(row->score_cp_stm, 35);
  EXPECT_EQ(row->result_white, -1);
  EXPECT_FALSE(row->move);
  EXPECT_EQ(to_fen<Crazyhouse>(row->board), kBlackToMove);
}

TEST(TextLine, ThatIsNoneIsRefusedWithTheReason) {
  const std::string fen(kWhiteToMove);
  EXPECT_EQ(parse_text_line<Crazyhouse>(fen).reason(), "a line is FEN | score | result");
  EXPECT_NE(parse_text_line<Crazyhouse>(fen + " | 0.35 | 1.0").reason().find("no number of centipawns"),
            std::string::npos);
  EXPECT_NE(parse_text_line<Crazyhouse>(fen + " | 35 | 2").reason().find("none of 1.0, 0.5 and 0.0"),
            std::string::npos);
  EXPECT_FALSE(parse_text_line<Crazyhouse>("8/8/8/8/8/8/8/8 w - - 0 1 | 0 | 0.5").ok());
}

TEST(EpdLine, TellsMoveScoreAndResult) {
  EXPECT_EQ(to_epd_line<Crazyhouse>(row_of(kBlackToMove, "P@d5", 35, -1)),
            "rnbqkbnr/ppp1pppp/8/8/8/8/PPP1PPPP/RNBQKBNR[Pp] b KQkq - hmvc 2; fmvn 3; bm @d5; ce 35; c9 "
            "\"0-1\";\n");
}

TEST(EpdLine, IsReadBackInAnyOrderOfOperations) {
  const auto row = parse_epd_line<Crazyhouse>(
      "rnbqkbnr/ppp1pppp/8/8/8/8/PPP1PPPP/RNBQKBNR[Pp] b KQkq - c9 \"1/2-1/2\"; id \"a; b\"; ce -7; bm P@d5 "
      "d6;");
  ASSERT_TRUE(row.ok()) << row.reason();
  EXPECT_EQ(row->score_cp_stm, -7);
  EXPECT_EQ(row->result_white, 0);
  EXPECT_EQ(to_uci(*row->move), "P@d5");
}

TEST(EpdLine, MayBeAFullFenWithOperations) {
  const auto row = parse_epd_line<Crazyhouse>(std::string(kBlackToMove) + " bm Nf6; ce 12;");
  ASSERT_TRUE(row.ok()) << row.reason();
  EXPECT_EQ(row->score_cp_stm, 12);
  EXPECT_EQ(row->board.halfmove_clock, 2);
  EXPECT_FALSE(row->result_white);
}

TEST(EpdLine, WithAnIllegalMoveIsRefused) {
  EXPECT_FALSE(parse_epd_line<Crazyhouse>(std::string(kBlackToMove) + " bm Qh4;").ok());
}

}  // namespace
}  // namespace farrier
