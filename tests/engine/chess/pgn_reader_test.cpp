// PGN as other people write it: what is read, and what fails with which words.
#include <gtest/gtest.h>

#include "tests/support/pgn_testing.h"

namespace farrier {
namespace {

TEST(PgnReader, AnEmptyStreamHasNoGame) {
  for (const char* text :
       {"", "\n", " \r\n\t\r\n", "% a line for others\n", "\xEF\xBB\xBF", "; a word\n{ and more }\n"})
    EXPECT_TRUE(read_all(text).empty()) << text;
}

TEST(PgnReader, MovesAreReadWithAndWithoutNumbersDotsAndSpaces) {
  for (const char* text : {"1. e4 e5 2. Nf3 *", "1.e4 e5 2.Nf3 *", "e4 e5 Nf3 *", "1 e4 e5 2 Nf3 *",
                           "1. e4 1... e5 2. Nf3", "1.e4\n1...e5\n\n2.\nNf3", "1. e4 1. ... e5 2 . Nf3 *",
                           "1.\te4\te5\t2.\tNf3\t*", "17. e4 e5 99. Nf3*"})
    EXPECT_EQ(uci_moves(read_one(text)), "e2e4 e7e5 g1f3") << text;
}

TEST(PgnReader, CastlingWithZerosIsNoMoveNumberAndNoResult) {
  EXPECT_EQ(uci_moves(read_one("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4.0-0 0-0 0-1")),
            "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8");
}

TEST(PgnReader, CommentsOfBothKindsBelongToTheMoveBeforeThem) {
  const PgnGame game = read_one("{ before } 1. e4 { one\r\n two } ; three\n $1 {four} e5 {} *");
  EXPECT_EQ(game.comment, "before");
  ASSERT_EQ(game.moves.size(), 2U);
  EXPECT_EQ(game.moves[0].comment, "one two three four");
  EXPECT_EQ(game.moves[0].nags, std::vector<int>{1});
  EXPECT_EQ(game.moves[1].comment, "");
}

TEST(PgnReader, ASemicolonInBracesAndABraceAfterASemicolonAreText) {
  const PgnGame game = read_one("1. e4 {a ; b} e5 ; c { d\n2. Nf3 *");
  EXPECT_EQ(game.moves[0].comment, "a ; b");
  EXPECT_EQ(game.moves[1].comment, "c { d");
  EXPECT_EQ(game.moves.size(), 3U);
}

TEST(PgnReader, LinesThatAPercentSignBeginsAreForOthers) {
  EXPECT_EQ(uci_moves(read_one("% [Event \"x\"]\n1. e4\n%1. d4 }{\ne5 {one\n% } two\nthree} *")),
            "e2e4 e7e5");
}

TEST(PgnReader, VariationsAreLeftOutHoweverNested) {
  const PgnGame game = read_one(
      "1. e4 (1. d4 d5 (1... Nf6 {x) } ( ) 2. c4 1-0) 2. zz9 $5) 1... e5 (1... c5 ; )\n) {kept} 2. Nf3 *");
  EXPECT_EQ(uci_moves(game), "e2e4 e7e5 g1f3");
  EXPECT_EQ(game.moves[1].comment, "kept");
  EXPECT_EQ(game.moves[0].nags.size(), 0U);
  const std::string deep = "1. e4 " + std::string(100000, '(') + " d4 " + std::string(100000, ')') + " e5 *";
  EXPECT_EQ(uci_moves(read_one(deep)), "e2e4 e7e5");
}

TEST(PgnReader, MarksOfJudgementAreGlyphs) {
  const PgnGame game = read_one("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! 4. Ba4 $146 ! Nf6 !!! *");
  std::vector<std::vector<int>> nags;
  for (const PgnMove& played : game.moves) nags.push_back(played.nags);
  EXPECT_EQ(nags, (std::vector<std::vector<int>>{{1}, {2}, {3}, {4}, {5}, {6}, {146, 1}, {3}}));
}

TEST(PgnReader, ClocksAreTakenOutOfCommentsAndOtherCommandsStay) {
  const PgnGame game = read_one(
      "1. e4 { [%clk 1:02:03.4] } e5 { [%eval 0.17] [%clk 0:00:59] good } 2. Nf3 {[%clk 75.25]} Nc6 {[%clk "
      "1:15]} "
      "3. Bb5 {[%clk x] [%emt 0:00:01]} a6 {[%clk 99999999999999999999]} *");
  std::vector<std::int64_t> clocks;
  for (const PgnMove& played : game.moves) clocks.push_back(played.clock_ms.value_or(-1));
  EXPECT_EQ(clocks, (std::vector<std::int64_t>{3'723'400, 59'000, 75'250, 75'000, -1, -1}));
  EXPECT_EQ(game.moves[0].comment, "");
  EXPECT_EQ(game.moves[1].comment, "[%eval 0.17] good");
  EXPECT_EQ(game.moves[4].comment, "[%clk x] [%emt 0:00:01]");
}

TEST(PgnReader, EnPassantAndPromotionInOldFormsAreRead) {
  EXPECT_EQ(uci_moves(read_one("1. e4 a6 2. e5 d5 3. exd6 e.p. a5 4. dxc7 a4 5. cxb8(Q) a3 6. Qxa8 *")),
            "e2e4 a7a6 e4e5 d7d5 e5d6 a6a5 d6c7 a5a4 c7b8q a4a3 b8a8");
}

TEST(PgnReader, VariantNamesOfOtherProgramsAreKnownInAnyCase) {
  using V = Variant;
  for (const char* name :
       {"", "?", "chess", "Chess", "Standard", "standard", "normal", "From Position", "FROM POSITION"})
    EXPECT_EQ(variant_from_pgn_name(name), V::Chess) << name;
  for (const char* name : {"crazyhouse", "Crazyhouse", "CRAZYHOUSE", "Crazy House", "crazy-house"})
    EXPECT_EQ(variant_from_pgn_name(name), V::Crazyhouse) << name;
  for (const char* name : {"knightmate", "Knightmate"})
    EXPECT_EQ(variant_from_pgn_name(name), V::Knightmate) << name;
  for (const char* name : {"pocketknight", "PocketKnight", "Pocket Knight", "pocket_knight"})
    EXPECT_EQ(variant_from_pgn_name(name), V::PocketKnight) << name;
  for (const char* name : {"Chess960", "Atomic", "Bughouse", "x", "knight"})
    EXPECT_EQ(variant_from_pgn_name(name), std::nullopt) << name;
}

TEST(PgnReader, AnUnknownVariantFailsInWordsAndTheNextGameIsRead) {
  const auto games =
      read_all("[Event \"a\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. d4 *\n");
  ASSERT_EQ(games.size(), 2U);
  ASSERT_FALSE(games[0].ok());
  EXPECT_EQ(
      games[0].reason(),
      "line 2: the variant 'Atomic' is not known; known are chess, crazyhouse, knightmate, pocketknight");
  ASSERT_TRUE(games[1].ok());
  EXPECT_EQ(uci_moves(*games[1]), "d2d4");
}

TEST(PgnReader, TagsMayStandInAnyOrderCaseAndLayout) {
  const PgnGame game = read_one(
      "[ fen   \"4k3/8/8/8/8/8/8/4K3/N b - - 3 9\" ]  [VARIANT \"CrazyHouse\"]\n\n[white \"W\"]\n[result "
      "\"0-1\"][x_1 \"\"]"
      "\n9... Kd8 10. N@f3 0-1");
  EXPECT_EQ(game.variant, Variant::Crazyhouse);
  EXPECT_EQ(game.start_fen, "4k3/8/8/8/8/8/8/4K3[N] b - - 3 9");
  EXPECT_EQ(game.tags, (std::vector<std::pair<std::string, std::string>>{{"white", "W"}, {"x_1", ""}}));
  EXPECT_EQ(game.tag("White"), "W");
  EXPECT_EQ(game.tag("Black"), "");
  EXPECT_EQ(uci_moves(game), "e8d8 N@f3");
}

TEST(PgnReader, CarelessQuotesInATagAreKept) {
  EXPECT_EQ(read_one("[White \"Foo \"Bar\" Baz\"]\n*").tag("White"), "Foo \"Bar\" Baz");
  EXPECT_EQ(read_one("[Site \"C:\\x\\\"]\"]\n*").tag("Site"), "C:\\x\"]");
}

TEST(PgnReader, WindowsAndOldMacLineEndsAByteOrderMarkAndMissingBlankLinesDoNotMatter) {
  const std::string unix_text =
      "[Event \"a\"]\n[Result \"1-0\"]\n1. e4 ; x\ne5 1-0\n[Event \"b\"]\n1. d4 d5 1/2-1/2\n";
  const auto expected = read_all(unix_text);
  ASSERT_EQ(expected.size(), 2U);
  for (const char* end : {"\n", "\r\n", "\r", "\n\n"}) {
    std::string text = "\xEF\xBB\xBF";
    for (char c : unix_text) text += c == '\n' ? std::string(end) : std::string(1, c);
    const auto games = read_all(text);
    ASSERT_EQ(games.size(), 2U);
    for (int i : {0, 1}) EXPECT_TRUE(*games[i] == *expected[i]);
  }
}

TEST(PgnReader, WithoutAResultTheNextGamesTagOrTheEndOfTheStreamEndsTheGame) {
  const auto games = read_all("[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5\n\n[Event \"b\"]\n\n1. d4");
  ASSERT_EQ(games.size(), 2U);
  EXPECT_EQ(uci_moves(*games[0]), "e2e4 e7e5");
  EXPECT_EQ(games[0]->result, "1-0");
  EXPECT_EQ(uci_moves(*games[1]), "d2d4");
  EXPECT_EQ(games[1]->result, "*");
}

TEST(PgnReader, GamesWithoutMovesOrWithoutTagsAreGames) {
  const auto empty =
      read_all("[Event \"a\"]\n\n[Event \"b\"]\n[White \"w\"]\n\n[White \"v\"]\n[Event \"c\"]\n\n1-0\n");
  ASSERT_EQ(empty.size(), 3U);
  EXPECT_EQ(empty[0]->tag("Event"), "a");
  EXPECT_EQ(empty[1]->tag("White"), "w");
  EXPECT_EQ(empty[2]->tag("Event"), "c");
  EXPECT_EQ(empty[2]->result, "1-0");
  const auto bare = read_all("1. e4 e5 1-0 1. d4 d5 0-1\n1. c4 *");
  ASSERT_EQ(bare.size(), 3U);
  EXPECT_EQ(uci_moves(*bare[1]), "d2d4 d7d5");
  EXPECT_EQ(bare[1]->result, "0-1");
}

TEST(PgnReader, AResultThatOnlyTagOrTextGivesHolds) {
  EXPECT_EQ(read_one("[Result \"*\"]\n\n1. e4 1-0").result, "1-0");
  EXPECT_EQ(read_one("[Result \"?\"]\n\n1. e4 1/2").result, "1/2-1/2");
  EXPECT_EQ(read_one("[Result \"0-1\"]\n\n1. e4 *").result, "0-1");
  EXPECT_EQ(read_one("[Event \"x\"]\n\n1. e4 0-1").result, "0-1");
}

TEST(PgnReader, ResultTagAndTokenThatContradictEachOtherFail) {
  EXPECT_EQ(failure_of("[Result \"1-0\"]\n\n1. e4\n0-1\n"),
            "line 4: the game ends with 0-1, but its tag Result says 1-0");
  EXPECT_EQ(failure_of("[Result \"won\"]\n\n1. e4 *\n"), "line 1: the tag Result: 'won' is no result");
}

TEST(PgnReader, ABrokenGameFailsWithLineMoveNumberAndReason) {
  EXPECT_EQ(failure_of("[Event \"x\"]\n\n1. e4 e5\n2. Nf3 Nf7 3. Bb5 *\n"),
            "line 4, move 2 (black): 'Nf7' is not a legal move in "
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
  EXPECT_EQ(failure_of("1. e4 e5 2. -- *"), "line 1, move 2: '--' is no move");
  EXPECT_EQ(failure_of("1. e4 Z0 *"), "line 1, move 1 (black): 'Z0' is no move");
  EXPECT_EQ(failure_of("1. e4 e5)\n*"), "line 1, move 2: a variation ends that never began");
  EXPECT_EQ(failure_of("1. e4\n(1. d4\ne5 *"), "line 2: a variation is never closed");
  EXPECT_EQ(failure_of("1. e4\n{ x\ny e5 *"), "line 2, move 1 (black): a comment is never closed");
  EXPECT_EQ(failure_of("1. e4 } e5 *"), "line 1, move 1 (black): '}' has no meaning here");
  EXPECT_EQ(failure_of("1. e4 $x e5 *"), "line 1, move 1 (black): '$' is not followed by a number");
  EXPECT_EQ(failure_of("[SetUp \"1\"]\n\n*"), "line 1: the tag SetUp promises a FEN tag, and there is none");
  EXPECT_EQ(failure_of("[FEN \"8/8 w\"]\n\n*"),
            "line 1: the tag FEN: FEN field 1 (board): it does not describe eight ranks of eight squares");
  EXPECT_EQ(failure_of("[FEN \"x\"]\n[FEN \"y\"]\n\n*"), "line 2: the tag 'FEN' stands twice");
  EXPECT_EQ(failure_of("[White \"x]\n\n1. e4 *"), "line 1: a tag does not end with '\"]' on its line");
  EXPECT_EQ(failure_of("[White x]\n\n1. e4 *"), "line 1: a tag has no value in quotes");
}

TEST(PgnReader, AfterABrokenGameTheReaderGoesOnAtTheNext) {
  const std::string good = "\n\n[Event \"good\"]\n\n1. d4 d5 *\n\n";
  for (const char* bad :
       {"1. e5 e5 {1-0} (1-0) 2. Nf3 1-0", "1. e4 (1. d4", "1. e4 {never closed", "1. e4 ) ) 2. zz *",
        "[Variant \"?x\"]\n[White \"W\"]\n\n1. e4 *", "[White \"x]\n[Black \"y\"]\n\n1. e4 e5 1-0",
        "[Event \"x\"]\n\n1. e4 e5 2. Ke3 Ke6 3. a4", "1. Qd4 } { [x] } 0-1", "((((", "1. e4 [ e5 *"}) {
    const auto games = read_all(std::string(bad) + good + bad + good);
    ASSERT_EQ(games.size(), 4U) << bad;
    for (int i : {0, 2}) EXPECT_FALSE(games[i].ok()) << bad;
    for (int i : {1, 3}) {
      ASSERT_TRUE(games[i].ok()) << bad << ": " << games[i].reason();
      EXPECT_EQ(games[i]->tag("Event"), "good") << bad;
      EXPECT_EQ(uci_moves(*games[i]), "d2d4 d7d5") << bad;
    }
  }
}

TEST(PgnReader, AGameBeyondAMegabyteFailsAndTheNextIsRead) {
  const std::string good = "\n\n[Event \"good\"]\n\n1. d4 *\n\n";
  const std::string line(1000, 'x');
  std::string comment = "1. e4 {";
  std::string tags;
  std::string moves = "[Event \"knights\"]\n\n";
  for (int i = 0; i < 2000; ++i) comment += line + "\n";
  for (int i = 0; i < 2000; ++i) tags += "[T" + std::to_string(i) + " \"" + line + "\"]\n";
  for (int i = 0; i < 70000; ++i) moves += "Nf3 Nf6 Ng1 Ng8\n";
  for (const std::string& big :
       {comment + "}", tags + "\n1. e4 *", moves, "1. e4 " + std::string(3'000'000, 'N')}) {
    const auto games = read_all(big + good);
    ASSERT_EQ(games.size(), 2U);
    EXPECT_FALSE(games[0].ok());
    ASSERT_TRUE(games[1].ok()) << games[1].reason();
    EXPECT_EQ(games[1]->tag("Event"), "good");
  }
}

}  // namespace
}  // namespace farrier
