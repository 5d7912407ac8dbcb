// How many men a position can hold by the rules: a board beyond them can't have come from a game.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "engine/chess/board.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// No position has more men than this on the board and in hands together: 32, and two pocket knights.
constexpr int kMaxMen = 34;

/// Men of a type at the start, for one side, in the order of PieceType (the minor counts as Knight).
inline constexpr std::array<int, 5> kStartMen{8, 2, 2, 2, 1};

/// Officers beyond the start's must be promoted pawns: their number for one count of each type.
inline int officers_beyond_start(const std::array<int, 5>& men, const std::array<int, 5>& start) {
  int extra = 0;
  for (int t = 1; t < 5; ++t) extra += std::max(0, men[t] - start[t]);
  return extra;
}

/// The reason why no game leads to these men; empty if they are possible. Castling and clocks are not looked
/// at.
template <VariantRules R>
std::string impossible_men(const Board& board) {
  for (Color c : {Color::White, Color::Black}) {
    const int royals = board.men(c, PieceType::King).count();
    const std::string side = c == Color::White ? "white" : "black";
    if (royals != 1) return side + " has " + std::to_string(royals) + " royal men instead of one";
  }
  if ((board.men(PieceType::Pawn) & kEndRanks).any()) return "a pawn stands on the first or the last rank";

  std::array<std::array<int, 5>, 2>
      men{};  // board and hand; promoted men in crazyhouse count as the pawns they are
  for (Color c : {Color::White, Color::Black})
    for (int t = 0; t < kHandTypeCount; ++t) {
      const PieceType type = static_cast<PieceType>(t);
      const PieceType on_board = type == PieceType::Knight ? R::kMinor : type;
      const Bitboard plain = board.men(c, on_board) & ~board.promoted;
      men[index(c)][t] = plain.count() + board.in_hand(c, type);
    }

  // What one side can own at most. In crazyhouse that is all men of both sides but the other's royal man; a
  // FEN of another program may lack the marks there, and officers beyond the start's are then promoted pawns.
  constexpr int kShare = R::kCapturesGoToHand ? 2 : 1;
  std::array<int, 5> start{};
  for (int t = 0; t < 5; ++t) start[t] = kShare * kStartMen[t];
  if constexpr (!R::kCapturesGoToHand) start[1] += R::kHandCapacity[index(PieceType::Knight)];
  for (Color c : {Color::White, Color::Black}) {
    const int promoted = (board.promoted & board.men(c)).count();
    const int pawns = men[index(c)][0] + promoted + officers_beyond_start(men[index(c)], start);
    const std::string side = c == Color::White ? "white" : "black";
    if (pawns > start[0])
      return "more men than exist: " + side + "'s pawns and promoted men together are " +
             std::to_string(pawns);
  }
  int total = board.occupied().count();
  for (const auto& hand : board.hands)
    for (int held : hand) total += held;
  if (total > kMaxMen) return "more men than exist: " + std::to_string(total);
  return {};
}

}  // namespace farrier
