// What PGN tests share: all games of a text, and random games with everything that a game can carry.
#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/chess/pgn.h"
#include "tests/support/rules_testing.h"

namespace farrier {

inline std::vector<Result<PgnGame>> read_all(std::string_view text) {
  std::istringstream in{std::string(text)};
  PgnReader reader(in);
  std::vector<Result<PgnGame>> games;
  while (auto game = reader.next()) games.push_back(std::move(*game));
  return games;
}

/// The one game of a text that must be readable.
inline PgnGame read_one(std::string_view text) {
  const auto games = read_all(text);
  if (games.size() != 1)
    throw std::runtime_error(std::to_string(games.size()) + " games in " + std::string(text));
  return games[0].value_or_throw(std::string(text));
}

/// The reason why the one game of a text fails.
inline std::string failure_of(std::string_view text) {
  const auto games = read_all(text);
  if (games.size() != 1) return std::to_string(games.size()) + " games";
  return games[0].ok() ? "read without complaint" : games[0].reason();
}

/// The game's moves as UCI text, separated by spaces.
inline std::string uci_moves(const PgnGame& game) {
  std::string text;
  for (const PgnMove& played : game.moves) text += (text.empty() ? "" : " ") + to_uci(played.move);
  return text;
}

/// The FEN after the game's last move.
inline std::string final_fen(const PgnGame& game) {
  return with_rules(game.variant, [&]<VariantRules R>() {
    Board board = board_from<R>(game.start_fen);
    for (const PgnMove& played : game.moves) make_move<R>(board, played.move);
    return to_fen<R>(board);
  });
}

/// A random game with comments, clocks and glyphs; every second one starts in the midst of another.
template <VariantRules R>
PgnGame random_game(std::uint64_t seed) {
  constexpr std::string_view kWords[] = {
      "good", "[%eval 0.17]", "%odd",  "+0.31/12", "a\"quote\"", "back\\slash",
      "(x)",  "[Event",       "1-0",   "1.",       "{",          "\xC3\xA9t\xC3\xA9",
      ";",    "$1",           "move]", "e4",       "[%clk",      "*"};
  Rng rng(derive_seed(seed, 77, static_cast<std::uint64_t>(R::kVariant)));
  const auto words = [&] {
    std::string text;
    for (std::uint32_t n = rng.below(12); n > 0; --n)
      text += (text.empty() ? "" : " ") + std::string(kWords[rng.below(std::size(kWords))]);
    return text;
  };
  PgnGame game;
  game.variant = R::kVariant;
  game.tags = {{"Event", "a \"quoted\" event"},
               {"Site", "C:\\games\\"},
               {"Date", "2026.01.02"},
               {"Round", "1.2"},
               {"White", "A"},
               {"Black", "B [x]"},
               {"TimeControl", "1+0.01"},
               {"Annotator", "\"]"}};
  Board board = start_board<R>();
  const auto play = [&](int plies, bool keep) {
    for (int ply = 0; ply < plies; ++ply) {
      const MoveList moves = legal_moves<R>(board);
      if (moves.empty()) return;
      PgnMove played{random_move(board, moves, rng), {}, {}, {}};
      make_move<R>(board, played.move);
      if (!keep) continue;
      if (rng.below(4) == 0) played.nags.push_back(static_cast<int>(rng.below(140)));
      if (rng.below(3) == 0) played.clock_ms = rng.below(20'000'000);
      if (rng.below(4) == 0) played.comment = words();
      game.moves.push_back(std::move(played));
    }
  };
  if (seed % 2 == 1) play(static_cast<int>(rng.below(60)), false);
  game.start_fen = to_fen<R>(board);
  game.comment = rng.below(2) == 0 ? words() : "";
  play(static_cast<int>(rng.below(200)), true);
  constexpr std::string_view kResults[] = {"1-0", "0-1", "1/2-1/2", "*"};
  game.result = kResults[rng.below(4)];
  return game;
}

}  // namespace farrier
