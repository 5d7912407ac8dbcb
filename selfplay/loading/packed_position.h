// A position as it waits, by the hundred thousand, in the shuffle buffer: what a net's inputs and the labels follow from, in
// one cache line.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/chess/board.h"
#include "engine/chess/men_limits.h"
#include "engine/variants/variant_rules.h"
#include "selfplay/data/game_record.h"

namespace farrier {

struct alignas(64) PackedPosition {
  Bitboard occupied;
  std::array<Piece, kMaxMen> men{};  // on the squares of `occupied`, from the lowest up
  std::array<std::array<std::uint8_t, kHandTypeCount>, kColorCount> hands{};  // no more than there are inputs
  std::array<Square, kColorCount> royals{};
  std::uint8_t promoted = 0;  // of the men on the board
  std::uint8_t in_hand = 0;   // the sum of `hands`
  Color side_to_move = Color::White;
  std::int8_t result_stm = 0;  // +1 the side to move won, 0 a draw, -1 it lost
  std::int16_t score_cp_stm = 0;

  int on_board() const { return occupied.count(); }
};
static_assert(sizeof(PackedPosition) == 64);

/// The board's men, without labels.
template <VariantRules R>
PackedPosition pack(const Board& board) {
  PackedPosition packed;
  packed.occupied = board.occupied();
  Piece* man = packed.men.data();
  for (Square s : packed.occupied) *man++ = board.at(s);
  if constexpr (R::kHasDrops)
    for (int c = 0; c < kColorCount; ++c)
      for (int t = 0; t < kHandTypeCount; ++t) {
        // A FEN without marks can bring more officers into a hand than there are inputs.
        const std::uint8_t held = std::min(board.hands[c][t], R::kHandCapacity[t]);
        packed.hands[c][t] = held;
        packed.in_hand = static_cast<std::uint8_t>(packed.in_hand + held);
      }
  packed.royals = {board.royal(Color::White), board.royal(Color::Black)};
  packed.promoted = static_cast<std::uint8_t>(board.promoted.count());
  packed.side_to_move = board.side_to_move;
  return packed;
}

/// The position before `ply` of the game, with its labels.
template <VariantRules R>
PackedPosition pack_labelled(const Board& board, const GameRecord& game, std::size_t ply) {
  PackedPosition packed = pack<R>(board);
  packed.score_cp_stm = game.scores_cp_stm[ply];
  const bool white = board.side_to_move == Color::White;
  packed.result_stm = static_cast<std::int8_t>(white ? game.result_white : -game.result_white);
  return packed;
}

}  // namespace farrier
