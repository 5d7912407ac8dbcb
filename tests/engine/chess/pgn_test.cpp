// PGN: the one form written, and that it is read back equal.
#include "engine/chess/pgn.h"

#include <gtest/gtest.h>

#include <sstream>

#include "engine/base/error.h"
#include "tests/support/pgn_testing.h"

namespace farrier {
namespace {

#define EXPECT_HAS(part, text) EXPECT_PRED_FORMAT2(testing::IsSubstring, part, text)

template <VariantRules R>
PgnGame game_of(std::string_view uci_moves, std::string_view fen = R::kStartFen) {
  PgnGame game;
  game.variant = R::kVariant;
  game.start_fen = fen;
  Board board = board_from<R>(fen);
  std::istringstream in{std::string(uci_moves)};
  for (std::string text; in >> text;) {
    const Move move = parse_uci_move<R>(board, text).value_or_throw("test");
    game.moves.push_back(PgnMove{move, {}, {}, {}});
    make_move<R>(board, move);
  }
  return game;
}

/// The movetext: what follows the first blank line, without the last one.
std::string movetext(const PgnGame& game) {
  const std::string pgn = to_pgn(game);
  const std::string text = pgn.substr(pgn.find("\n\n") + 2);
  return text.substr(0, text.size() - 2);
}

template <VariantRules R>
class Pgn : public testing::Test {};
TYPED_TEST_SUITE(Pgn, AllRules, RulesName);

TYPED_TEST(Pgn, AGameThatIsWrittenIsReadBackEqual) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const PgnGame game = random_game<TypeParam>(seed);
    const std::string pgn = to_pgn(game);
    const auto games = read_all(pgn);
    ASSERT_EQ(games.size(), 1U) << pgn;
    ASSERT_TRUE(games[0].ok()) << games[0].reason() << "\n" << pgn;
    ASSERT_TRUE(*games[0] == game) << pgn;
    ASSERT_EQ(to_pgn(*games[0]), pgn);
  }
}

TYPED_TEST(Pgn, GamesOneAfterAnotherAreReadBackEqualAndInOrder) {
  std::string all;
  for (std::uint64_t seed = 200; seed < 230; ++seed) all += to_pgn(random_game<TypeParam>(seed));
  const auto games = read_all(all);
  ASSERT_EQ(games.size(), 30U);
  for (std::uint64_t i = 0; i < 30; ++i) {
    ASSERT_TRUE(games[i].ok()) << games[i].reason();
    ASSERT_TRUE(*games[i] == random_game<TypeParam>(200 + i));
  }
}

TYPED_TEST(Pgn, NoLineHasEightyCharactersAndNoneBeginsWithAPercentSign) {
  for (std::uint64_t seed = 300; seed < 340; ++seed) {
    std::istringstream in(to_pgn(random_game<TypeParam>(seed)));
    for (std::string line; std::getline(in, line);) {
      ASSERT_FALSE(line.starts_with('%')) << line;
      ASSERT_TRUE(line.size() < 80 || line.starts_with("[FEN ") || line.find(" %odd") != std::string::npos)
          << line;
    }
  }
}

TYPED_TEST(Pgn, TheVariantTagNamesEveryVariantButChess) {
  const std::string pgn = to_pgn(game_of<TypeParam>(""));
  const std::string tag = "[Variant \"" + std::string(TypeParam::kUciName) + "\"]\n";
  EXPECT_EQ(pgn.find(tag) != std::string::npos, TypeParam::kVariant != Variant::Chess);
  EXPECT_EQ(pgn.find("[FEN"), std::string::npos);
  EXPECT_EQ(pgn.find("[SetUp"), std::string::npos);
  EXPECT_EQ(read_one(pgn).variant, TypeParam::kVariant);
  EXPECT_EQ(read_one(pgn).start_fen, TypeParam::kStartFen);
}

TEST(PgnWriter, TheRosterComesFirstWhateverTheOrderOfTheTags) {
  PgnGame game = game_of<Crazyhouse>("e2e4");
  game.tags = {{"Opening", "none"}, {"Black", "B"}, {"White", "W"}, {"Termination", "normal"}};
  game.result = "1-0";
  EXPECT_EQ(
      to_pgn(game),
      "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"W\"]\n[Black \"B\"]\n"
      "[Result \"1-0\"]\n[Variant \"crazyhouse\"]\n[Opening \"none\"]\n[Termination \"normal\"]\n\n"
      "1. e4 1-0\n\n");
}

TEST(PgnWriter, AnotherStartIsGivenWithSetUpAndFen) {
  const PgnGame game = game_of<PocketKnight>("N@f8", "R5k1/5ppp/8/8/8/8/8/6K1[n] b - - 4 30");
  const std::string pgn = to_pgn(game);
  EXPECT_HAS("[Variant \"pocketknight\"]\n[SetUp \"1\"]\n[FEN \"R5k1/5ppp/8/8/8/8/8/6K1[n] b - - 4 30\"]\n\n",
             pgn);
  EXPECT_EQ(movetext(game), "30... N@f8 *");
}

TEST(PgnWriter, AnEmptyStartIsTheStartPosition) {
  PgnGame game = game_of<Knightmate>("e2e4");
  game.start_fen.clear();
  EXPECT_EQ(read_one(to_pgn(game)).start_fen, Knightmate::kStartFen);
}

TEST(PgnWriter, BlacksMoveHasItsNumberAtTheStartAndAfterAComment) {
  PgnGame game = game_of<StandardRules>("e2e4 e7e5 g1f3 b8c6");
  EXPECT_EQ(movetext(game), "1. e4 e5 2. Nf3 Nc6 *");
  game.moves[0].comment = "best by test";
  game.moves[2].nags = {1, 10};
  EXPECT_EQ(movetext(game), "1. e4 {best by test} 1... e5 2. Nf3 $1 $10 Nc6 *");
}

TEST(PgnWriter, AClockIsWrittenWithHoursMinutesSecondsAndWhatIsLeft) {
  PgnGame game = game_of<StandardRules>("e2e4");
  const auto with_clock = [&](std::int64_t ms) {
    game.moves[0].clock_ms = ms;
    return movetext(game);
  };
  EXPECT_EQ(with_clock(1200), "1. e4 {[%clk 0:00:01.2]} *");
  EXPECT_EQ(with_clock(60000), "1. e4 {[%clk 0:01:00]} *");
  EXPECT_EQ(with_clock(7), "1. e4 {[%clk 0:00:00.007]} *");
  EXPECT_EQ(with_clock(36'610'050), "1. e4 {[%clk 10:10:10.05]} *");
  EXPECT_EQ(with_clock(-5), "1. e4 {[%clk 0:00:00]} *");
  game.moves[0].comment = "soon over";
  EXPECT_EQ(with_clock(0), "1. e4 {[%clk 0:00:00] soon over} *");
}

TEST(PgnWriter, QuotesAndBackslashesInTagsAreEscaped) {
  PgnGame game = game_of<StandardRules>("");
  game.tags = {{"Event", "\"x\" \\ y"}};
  EXPECT_HAS("[Event \"\\\"x\\\" \\\\ y\"]\n", to_pgn(game));
  EXPECT_EQ(read_one(to_pgn(game)).tag("Event"), "\"x\" \\ y");
}

TEST(PgnWriter, AClosingBraceALineEndOrAControlByteInACommentDoesNotBreakTheFile) {
  PgnGame game = game_of<StandardRules>("e2e4 e7e5");
  game.moves[0].comment = "a } b\n\n[Event \"x\"]\r\n\t\x01";
  game.comment = "}";
  EXPECT_EQ(movetext(game), "{)} 1. e4 {a ) b [Event \"x\"]} 1... e5 *");
  EXPECT_EQ(uci_moves(read_one(to_pgn(game))), "e2e4 e7e5");
}

TEST(PgnWriter, ALineEndInATagDoesNotBreakTheFile) {
  PgnGame game = game_of<StandardRules>("e2e4");
  game.tags = {{"Event", "a\n[White \"x\"]"}};
  EXPECT_EQ(read_one(to_pgn(game)).tag("Event"), "a [White \"x\"]");
  EXPECT_EQ(read_one(to_pgn(game)).tag("White"), "?");
}

TEST(PgnWriter, TagsThatFollowFromTheGameAreNotWrittenTwice) {
  PgnGame game = game_of<StandardRules>("e2e4");
  game.tags = {{"Result", "0-1"}, {"FEN", "x"}, {"setup", "1"}, {"variant", "y"}, {"white", "W"}};
  EXPECT_EQ(read_one(to_pgn(game)).result, "*");
  EXPECT_EQ(read_one(to_pgn(game)).tag("White"), "W");
  EXPECT_EQ(read_one(to_pgn(game)).tags.size(), 6U);
}

TEST(PgnWriter, WhatCanNotStandInAPgnIsRefused) {
  const PgnGame sound = game_of<StandardRules>("e2e4");
  PgnGame game = sound;
  game.moves.push_back(sound.moves[0]);
  EXPECT_THROW(to_pgn(game), UserError);
  game = sound;
  game.result = "1-O";
  EXPECT_THROW(to_pgn(game), UserError);
  game = sound;
  game.start_fen = "8/8/8/8/8/8/8/8 w - - 0 1";
  EXPECT_THROW(to_pgn(game), UserError);
  game = sound;
  game.tags = {{"no name", "x"}};
  EXPECT_THROW(to_pgn(game), UserError);
}

}  // namespace
}  // namespace farrier
