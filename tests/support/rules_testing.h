// What rule tests share: boards from FEN, move texts, and seeded random games.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/chess/notation.h"
#include "engine/chess/outcome.h"
#include "engine/variants/dispatch.h"

namespace farrier {

/// For typed tests over every variant, named by it.
using AllRules = testing::Types<StandardRules, Crazyhouse, Knightmate, PocketKnight>;
struct RulesName {
  template <class R>
  static std::string GetName(int) {
    return std::string(R::kUciName);
  }
};

/// The position of a FEN that must be readable.
template <VariantRules R>
Board board_from(std::string_view fen) {
  return parse_fen<R>(fen).value_or_throw(std::string(fen));
}

/// All legal moves as UCI text, sorted.
template <VariantRules R>
std::vector<std::string> legal_texts(const Board& board) {
  std::vector<std::string> texts;
  for (Move move : legal_moves<R>(board)) texts.push_back(to_uci(move));
  std::sort(texts.begin(), texts.end());
  return texts;
}

template <VariantRules R>
bool can_play(const Board& board, std::string_view text) {
  return parse_uci_move<R>(board, text).ok();
}

/// The position after these legal moves, separated by spaces.
template <VariantRules R>
Board board_after(Board board, std::string_view moves) {
  while (!moves.empty()) {
    const std::size_t end = std::min(moves.find(' '), moves.size());
    make_move<R>(board, parse_uci_move<R>(board, moves.substr(0, end)).value_or_throw("test"));
    moves.remove_prefix(std::min(end + 1, moves.size()));
  }
  return board;
}

/// Plays these legal moves, separated by spaces.
template <VariantRules R>
void play_all(Game<R>& game, std::string_view moves) {
  while (!moves.empty()) {
    const std::size_t end = std::min(moves.find(' '), moves.size());
    game.play(parse_uci_move<R>(game.board(), moves.substr(0, end)).value_or_throw("test"));
    moves.remove_prefix(std::min(end + 1, moves.size()));
  }
}

/// A random game's next move: captures and promotions more often than their share, so that hands fill, castling
/// rights end and pawns arrive, which even-handed random moves seldom bring about.
inline Move random_move(const Board& board, const MoveList& moves, Rng& rng) {
  std::vector<Move> pool;
  if (rng.below(3) == 0)
    std::copy_if(moves.begin(), moves.end(), std::back_inserter(pool),
                 [&](Move move) { return is_noisy(board, move); });
  else if (rng.below(2) == 0)
    std::copy_if(moves.begin(), moves.end(), std::back_inserter(pool),
                 [](Move move) { return !move.is_drop(); });
  if (pool.empty()) pool.assign(moves.begin(), moves.end());
  return pool[rng.below(static_cast<std::uint32_t>(pool.size()))];
}

/// Calls visit(board, legal moves) on every position of `games` random games of at most `plies` plies, the final
/// ones without moves included. The same seed gives the same games.
template <VariantRules R, class Visit>
void for_random_positions(std::uint64_t seed, int games, int plies, Visit&& visit) {
  for (int game = 0; game < games; ++game) {
    Rng rng(derive_seed(seed, static_cast<std::uint64_t>(R::kVariant), static_cast<std::uint64_t>(game)));
    Board board = start_board<R>();
    for (int ply = 0; ply < plies; ++ply) {
      const MoveList moves = legal_moves<R>(board);
      visit(static_cast<const Board&>(board), moves);
      if (moves.empty() || testing::Test::HasFatalFailure()) break;
      make_move<R>(board, random_move(board, moves, rng));
    }
  }
}

}  // namespace farrier
