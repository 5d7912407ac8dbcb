// The questions that a variant answers, at compile time.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "engine/chess/board.h"
#include "engine/variants/variant.h"

namespace farrier {

template <class R>
concept VariantRules = requires(const Board& board) {
  { R::kVariant } -> std::convertible_to<Variant>;
  { R::kUciName } -> std::convertible_to<std::string_view>;
  { R::kStartFen } -> std::convertible_to<std::string_view>;
  // The leaper that fills the knights' place: Knight, or Commoner in knightmate.
  { R::kMinor } -> std::convertible_to<PieceType>;
  // Whose moves the royal man and the minor make.
  { R::kRoyalLeapsAsKnight } -> std::convertible_to<bool>;
  { R::kHasDrops } -> std::convertible_to<bool>;
  // Captured men join the captor's hand; promoted men carry a mark and join it as pawns.
  { R::kCapturesGoToHand } -> std::convertible_to<bool>;
  // How many men of each type (pawn to queen) one hand can ever hold.
  { R::kHandCapacity } -> std::convertible_to<std::array<std::uint8_t, kHandTypeCount>>;
  { R::kPromotions } -> std::convertible_to<std::array<PieceType, 4>>;
  // No sequence of legal moves mates: a draw.
  { R::is_dead_position(board) } -> std::same_as<bool>;
};

}  // namespace farrier
