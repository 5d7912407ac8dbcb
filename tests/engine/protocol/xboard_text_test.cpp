// What XBoard's lines say, read and written by themselves.
#include "engine/protocol/xboard_text.h"

#include <gtest/gtest.h>

#include <string>

namespace farrier {
namespace {

TEST(XboardText, ALineIsACommandAndItsArguments) {
  EXPECT_EQ(split_line(" setboard  8/8 w - \r").command, "setboard");
  EXPECT_EQ(split_line(" setboard  8/8 w - \r").arguments, "8/8 w -");
  EXPECT_EQ(split_line("go").arguments, "");
  EXPECT_EQ(split_line(" \t\r").command, "");
}

TEST(XboardText, LevelReadsMinutesSecondsAndFractions) {
  EXPECT_EQ(parse_level("40 5 0"), (XboardLevel{40, 300'000, 0}));
  EXPECT_EQ(parse_level("0 0:30 0.1"), (XboardLevel{0, 30'000, 100}));
  EXPECT_EQ(parse_level("0 2 12"), (XboardLevel{0, 120'000, 12'000}));
  EXPECT_EQ(parse_level("30 1.5 0.25"), (XboardLevel{30, 90'000, 250}));
  EXPECT_EQ(parse_level("0 0 1"), (XboardLevel{0, 0, 1'000}));
}

TEST(XboardText, WhatFollowsTheBaseTimeIsSkipped) {
  EXPECT_EQ(parse_level("40 25+5 0"), (XboardLevel{40, 1'500'000, 0}));
  EXPECT_EQ(parse_level("40 0:30+5 0"), (XboardLevel{40, 30'000, 0}));
}

TEST(XboardText, ALevelThatIsNoTimeControlIsRefused) {
  for (const char* text :
       {"", "40", "40 5", "x 5 0", "40 x 0", "40 5 x", "-1 5 0", "40 -5 0", "40 nan 0", "40 5 inf"})
    EXPECT_FALSE(parse_level(text)) << text;
}

TEST(XboardText, HugeTimesAreCutToWhatCanBeReckonedWith) {
  const auto level = parse_level("999999999 1e300 99999999999999999999");
  ASSERT_TRUE(level);
  EXPECT_GT(level->base_ms, 0);
  EXPECT_LE(level->base_ms, 100'000'000'000);
  EXPECT_LE(level->increment_ms, 100'000'000'000);
}

TEST(XboardText, WordsWithSquaresAreMovesAndOthersAreNot) {
  for (const char* word : {"e2e4", "a7a8m", "P@e4", "n@f3", "Nf3", "exd8=Q+", "O-O", "0-0-0", "@e4", "Nbd7#"})
    EXPECT_TRUE(looks_like_move(word)) << word;
  for (const char* word : {"edit", "hello", "e9e4", "protover", "xyzzy", "", "book", "depth", "d", "ptell"})
    EXPECT_FALSE(looks_like_move(word)) << word;
}

TEST(XboardText, NormalIsXBoardsNameOfChess) {
  EXPECT_EQ(variant_from_xboard_name("normal"), Variant::Chess);
  EXPECT_EQ(variant_from_xboard_name("crazyhouse"), Variant::Crazyhouse);
  EXPECT_FALSE(variant_from_xboard_name("shatranj"));
}

TEST(XboardText, AMateIsAHundredThousandAndItsMoves) {
  SearchReport report;
  report.depth = 9;
  report.elapsed_ms = 10'848;
  report.nodes = 48'000;
  report.pv = {Move::normal(make_square(4, 1), make_square(4, 3)),
               Move::drop(PieceType::Pawn, make_square(4, 4))};
  const auto with_score = [&](Score score) {
    report.score_cp_stm = score;
    return thinking_line(report);
  };
  EXPECT_EQ(with_score(156), "9 156 1084 48000 e2e4 P@e5");
  EXPECT_EQ(with_score(mate_in(1)), "9 100001 1084 48000 e2e4 P@e5");
  EXPECT_EQ(with_score(mate_in(5)), "9 100003 1084 48000 e2e4 P@e5");
  EXPECT_EQ(with_score(mated_in(4)), "9 -100002 1084 48000 e2e4 P@e5");
}

TEST(XboardText, ResultsNameTheWinnerOrTheDraw) {
  EXPECT_EQ(result_line({Termination::Checkmate, 1}), "1-0 {White mates}");
  EXPECT_EQ(result_line({Termination::Checkmate, -1}), "0-1 {Black mates}");
  EXPECT_EQ(result_line({Termination::Stalemate, 0}), "1/2-1/2 {Stalemate}");
  EXPECT_EQ(result_line({Termination::Repetition, 0}), "1/2-1/2 {Draw by repetition}");
  EXPECT_EQ(result_line({Termination::FiftyMoves, 0}), "1/2-1/2 {Draw by fifty-move rule}");
  EXPECT_EQ(result_line({Termination::DeadPosition, 0}), "1/2-1/2 {Draw by insufficient mating material}");
}

TEST(XboardText, AnAnswerQuotesNoControlCharactersAndNoEndlessLine) {
  EXPECT_EQ(on_one_line("a\rb\x1b"), "a?b?");
  EXPECT_LT(on_one_line(std::string(100'000, 'x')).size(), 300U);
}

TEST(XboardClock, MovesToGoCountDownToTheNextSession) {
  XboardClock clock;
  clock.set_level({40, 300'000, 0});
  const auto moves_to_go = [&](int made) {
    GoRequest request;
    clock.limit(request, made);
    return request.clock.moves_to_go;
  };
  EXPECT_EQ(moves_to_go(0), 40);
  EXPECT_EQ(moves_to_go(39), 1);
  EXPECT_EQ(moves_to_go(40), 40);
  clock.set_level({0, 300'000, 1'000});
  EXPECT_EQ(moves_to_go(7), 0);
}

TEST(XboardClock, BetweenTwoTimeCommandsItIsReckoned) {
  XboardClock clock;
  clock.set_level({2, 60'000, 500});
  const auto left = [&] {
    GoRequest request;
    clock.limit(request, 0);
    return request.clock.time_ms;
  };
  EXPECT_EQ(left(), 60'000);
  clock.spend(2'000, 1);
  EXPECT_EQ(left(), 58'500);
  clock.spend(2'000, 2);  // the session's last move
  EXPECT_EQ(left(), 117'000);
  clock.tell(90'000);
  EXPECT_EQ(left(), 90'000);
  clock.reset();
  EXPECT_EQ(left(), 60'000);
}

TEST(XboardClock, AFixedTimeAMoveReplacesTheClockAndKeepsSomeBack) {
  XboardClock clock;
  const auto time_for = [&](std::int64_t ms) {
    clock.set_move_time(ms);
    GoRequest request;
    clock.limit(request, 3);
    EXPECT_FALSE(request.clock.time_ms);
    return request.move_time_ms;
  };
  EXPECT_EQ(time_for(2'500), 2'350);
  EXPECT_EQ(time_for(500), 400);
  EXPECT_EQ(time_for(0), 0);
}

}  // namespace
}  // namespace farrier
