// PGN files in the manner of lichess, Cute Chess and xboard; final positions as Debian's fairy-stockfish tells them.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/pgn_testing.h"

namespace farrier {
namespace {

std::vector<PgnGame> read_file(const std::string& name) {
  std::ifstream in(std::string(FARRIER_TEST_DATA) + "/" + name, std::ios::binary);
  EXPECT_TRUE(in.is_open()) << name;
  PgnReader reader(in);
  std::vector<PgnGame> games;
  while (auto game = reader.next()) games.push_back(game->value_or_throw(name));
  return games;
}

std::string final_board(const PgnGame& game) {
  const std::string fen = final_fen(game);
  return fen.substr(0, fen.find(' '));
}

bool ends_in_mate(const PgnGame& game) {
  return with_rules(game.variant, [&]<VariantRules R>() {
    const auto outcome = Game<R>(board_from<R>(final_fen(game))).outcome();
    return outcome && outcome->termination == Termination::Checkmate;
  });
}

TEST(PgnFiles, GamesAsLichessWritesThemAreRead) {
  const auto games = read_file("pgn_lichess.pgn");
  ASSERT_EQ(games.size(), 3U);

  EXPECT_EQ(games[0].variant, Variant::Crazyhouse);
  EXPECT_EQ(games[0].moves.size(), 68U);
  EXPECT_EQ(final_board(games[0]), "rnb2rk1/pP2b1p1/2pp1n2/P3p1n1/2P1Pp2/B1NP1b1P/P2P1Pq1/1R2Kr2[QP]");
  EXPECT_TRUE(ends_in_mate(games[0]));
  EXPECT_EQ(games[0].result, "0-1");
  EXPECT_EQ(games[0].tag("Site"), "https://lichess.org/Aa1Bb2Cc");
  EXPECT_EQ(games[0].moves[0].clock_ms, 60'000);
  EXPECT_EQ(games[0].moves[2].clock_ms, 58'000);
  EXPECT_EQ(games[0].moves[0].comment, "[%eval -1.46]");

  EXPECT_EQ(games[1].variant, Variant::Chess);
  EXPECT_EQ(games[1].tag("Event"), "Study: \"Endings\" \\ part 1");
  EXPECT_EQ(games[1].start_fen, "8/8/8/4p1k1/4P3/4K3/8/8 b - - 0 1");
  EXPECT_EQ(uci_moves(games[1]), "g5g4 e3f2 g4f4");
  EXPECT_EQ(games[1].comment, "Who has the opposition?");
  EXPECT_EQ(games[1].moves[0].comment, "The only move.");
  EXPECT_EQ(games[1].moves[0].nags, std::vector<int>{1});
  EXPECT_EQ(games[1].moves[2].comment, "[%csl Gf4][%cal Ge3e4]");
  EXPECT_EQ(games[1].result, "*");

  EXPECT_EQ(uci_moves(games[2]), "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7");
  EXPECT_TRUE(ends_in_mate(games[2]));
  EXPECT_EQ(games[2].moves[4].nags, std::vector<int>{6});
}

TEST(PgnFiles, GamesAsCuteChessWritesThemAreRead) {
  const auto games = read_file("pgn_cutechess.pgn");
  ASSERT_EQ(games.size(), 3U);

  EXPECT_EQ(games[0].variant, Variant::Crazyhouse);
  EXPECT_EQ(games[0].moves.size(), 69U);
  EXPECT_EQ(final_board(games[0]), "r3B~2r/pp1R1Bpp/n1p3p1/8/2b2kNQ/qPq~PN1P1/2P1KP1P/7R[bbnpp]");
  EXPECT_TRUE(ends_in_mate(games[0]));
  EXPECT_EQ(games[0].moves[0].comment, "book");

  EXPECT_EQ(games[1].variant, Variant::PocketKnight);
  EXPECT_EQ(games[1].moves.size(), 66U);
  EXPECT_EQ(games[1].start_fen, PocketKnight::kStartFen);
  EXPECT_EQ(final_board(games[1]), "8/1p1k3p/3P4/2p2p1P/4np2/3Kn3/3q4/8[]");
  EXPECT_TRUE(ends_in_mate(games[1]));

  EXPECT_EQ(uci_moves(games[2]), "a1a8 N@f8 f2f3 h7h6");
  EXPECT_EQ(games[2].moves[3].comment, "-2.88/10 0.041s, Draw by adjudication");
  EXPECT_EQ(games[2].result, "1/2-1/2");
}

TEST(PgnFiles, GamesAsXboardWritesThemAreRead) {
  const auto games = read_file("pgn_xboard.pgn");
  ASSERT_EQ(games.size(), 2U);

  EXPECT_EQ(games[0].variant, Variant::Knightmate);
  EXPECT_EQ(games[0].moves.size(), 113U);
  EXPECT_EQ(final_board(games[0]), "4b3/4m3/p2pr2p/P4R2/2p1PP1P/4M3/1M1K4/2k5");
  EXPECT_TRUE(ends_in_mate(games[0]));

  EXPECT_EQ(games[1].variant, Variant::Crazyhouse);
  EXPECT_EQ(uci_moves(games[1]), "N@f7");
  EXPECT_TRUE(ends_in_mate(games[1]));
  EXPECT_TRUE(games[1].comment.starts_with("-------------- . . . . . . r k"));
  EXPECT_TRUE(games[1].comment.ends_with("white to play --------------"));
}

TEST(PgnFiles, WhatIsReadIsWrittenAndReadBackEqualButForTheRoster) {
  for (const char* name : {"pgn_lichess.pgn", "pgn_cutechess.pgn", "pgn_xboard.pgn"})
    for (const PgnGame& game : read_file(name)) {
      const PgnGame once = read_one(to_pgn(game));
      EXPECT_TRUE(once.moves == game.moves) << name;
      EXPECT_EQ(once.start_fen, game.start_fen);
      EXPECT_EQ(once.variant, game.variant);
      EXPECT_EQ(once.result, game.result);
      EXPECT_EQ(once.comment, game.comment);
      for (const auto& [tag, value] : game.tags) EXPECT_EQ(once.tag(tag), value);
      EXPECT_TRUE(read_one(to_pgn(once)) == once) << name;
    }
}

}  // namespace
}  // namespace farrier
