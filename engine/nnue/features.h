// The numbering of network inputs: the one definition that engine and trainer share.
//
// Each side sees the position from its own view: ranks counted from its own first rank, its own men first.
// For a variant the inputs are, in this order:
//   board     768: (own 0 / enemy 1) * 384 + plane(type) * 64 + relative square. Planes: pawn, minor, bishop,
//                  rook, queen, royal; the minor is the knight, or the commoner in knightmate.
//   promoted  128 (crazyhouse): own/enemy * 64 + relative square, active beside the man's board input.
//   hands     unary counts, own then enemy: in crazyhouse P16 N4 B4 R4 Q2 a side, in pocketknight N1 a side;
//             n men in hand switch on the first n inputs of their type.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/base/static_vector.h"
#include "engine/chess/board.h"
#include "engine/chess/men_limits.h"
#include "engine/variants/variant.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

constexpr int kBoardInputs = 768;
constexpr int kPromotedInputs = 128;
/// Bound on active inputs of one view: every man, and a mark on each.
constexpr int kMaxActiveInputs = 2 * kMaxMen;

using FeatureIndex = std::uint16_t;
/// Stands for an input that a net's feature scheme leaves out.
constexpr FeatureIndex kNoRow = 0xFFFF;
using FeatureList = StaticVector<FeatureIndex, kMaxActiveInputs>;

/// A variant's inputs, as compile-time facts.
template <VariantRules R>
struct FeatureSet {
  static constexpr bool kHasPromoted = R::kCapturesGoToHand;
  static constexpr int kHandInputsPerSide = [] {
    int n = 0;
    for (int capacity : R::kHandCapacity) n += capacity;
    return n;
  }();
  static constexpr int kPromotedStart = kBoardInputs;
  static constexpr int kHandStart = kBoardInputs + (kHasPromoted ? kPromotedInputs : 0);
  static constexpr int kInputs = kHandStart + 2 * kHandInputsPerSide;

  static constexpr int plane(PieceType t) { return t == R::kMinor ? 1 : index(t); }
  static constexpr FeatureIndex board_input(Color view, Piece piece, Square s) {
    const int enemy = piece.color() == view ? 0 : 1;
    return static_cast<FeatureIndex>(enemy * 384 + plane(piece.type()) * 64 + index(relative(view, s)));
  }
  static constexpr FeatureIndex promoted_input(Color view, Piece piece, Square s) {
    const int enemy = piece.color() == view ? 0 : 1;
    return static_cast<FeatureIndex>(kPromotedStart + enemy * 64 + index(relative(view, s)));
  }
  /// Input of the n-th man (n from 0) of that type in the hand of `holder`.
  static constexpr FeatureIndex hand_input(Color view, Color holder, PieceType t, int n) {
    int start = kHandStart + (holder == view ? 0 : kHandInputsPerSide);
    for (int lower = 0; lower < index(t); ++lower) start += R::kHandCapacity[lower];
    return static_cast<FeatureIndex>(start + n);
  }
};

/// The active inputs of `board` as `view` sees it, in no particular order.
template <VariantRules R>
void active_features(const Board& board, Color view, FeatureList& out);

/// Number of inputs of a variant (chess 768, crazyhouse 956, knightmate 768, pocketknight 770).
int feature_count(Variant v);
/// Identifies the numbering above; stored in net files. Changes whenever the numbering does.
std::uint32_t feature_set_hash(Variant v);

}  // namespace farrier
