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

/// Men by type, in the order of kStartMen, with promoted men apart.
struct MenCount {
  std::array<int, 5> men{};
  int promoted = 0;
};

/// The men of `c` on the board and in hand. The marks that only crazyhouse has tell the promoted ones.
template <VariantRules R>
MenCount count_men(const Board& board, Color c) {
  MenCount count;
  count.promoted = (board.promoted & board.men(c)).count();
  for (int t = 0; t < kHandTypeCount; ++t) {
    const PieceType type = static_cast<PieceType>(t);
    const PieceType on_board = type == PieceType::Knight ? R::kMinor : type;
    count.men[t] = (board.men(c, on_board) & ~board.promoted).count() + board.in_hand(c, type);
  }
  return count;
}

/// In crazyhouse men change sides, so that both draw on one stock; the marks tell which were pawns.
inline std::string impossible_stock(const MenCount& white, const MenCount& black) {
  constexpr std::array<const char*, 5> kNames{"pawns", "knights", "bishops", "rooks", "queens"};
  for (int t = 1; t < 5; ++t)
    if (const int men = white.men[t] + black.men[t]; men > 2 * kStartMen[t])
      return "more men than exist: " + std::to_string(men) + ' ' + kNames[t] +
             " that no '~' marks as promoted pawns";
  const int pawns = white.men[0] + black.men[0] + white.promoted + black.promoted;
  if (pawns > 2 * kStartMen[0])
    return "more men than exist: pawns and promoted men together are " + std::to_string(pawns);
  return {};
}

/// Elsewhere each side has its own men, and officers beyond the start's must be promoted pawns.
inline std::string impossible_side(const MenCount& count, int pocket_knights, const std::string& side) {
  int pawns = count.men[0];
  for (int t = 1; t < 5; ++t)
    pawns += std::max(0, count.men[t] - kStartMen[t] - (t == index(PieceType::Knight) ? pocket_knights : 0));
  if (pawns <= kStartMen[0]) return {};
  return "more men than exist: " + side + "'s pawns and promoted men together are " + std::to_string(pawns);
}

/// The reason why no game leads to these men; empty if they are possible. Castling and clocks are not looked
/// at.
template <VariantRules R>
std::string impossible_men(const Board& board) {
  for (Color c : {Color::White, Color::Black})
    if (const int royals = board.men(c, PieceType::King).count(); royals != 1)
      return (c == Color::White ? "white has " : "black has ") + std::to_string(royals) +
             " royal men instead of one";
  if ((board.men(PieceType::Pawn) & kEndRanks).any()) return "a pawn stands on the first or the last rank";

  const MenCount white = count_men<R>(board, Color::White);
  const MenCount black = count_men<R>(board, Color::Black);
  if constexpr (R::kCapturesGoToHand) return impossible_stock(white, black);
  constexpr int kPocketKnights = R::kHandCapacity[index(PieceType::Knight)];
  const std::string fault = impossible_side(white, kPocketKnights, "white");
  return fault.empty() ? impossible_side(black, kPocketKnights, "black") : fault;
}

}  // namespace farrier
