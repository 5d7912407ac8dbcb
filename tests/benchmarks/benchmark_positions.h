// The positions that the benchmarks of each variant start from.
#pragma once

#include <string_view>

#include "engine/chess/fen.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// A middlegame of each variant, with men in hand where there are hands.
constexpr std::string_view middlegame_fen(Variant v) {
  switch (v) {
    case Variant::Crazyhouse:
      return "r1b1kb1r/ppp2ppp/2n2q2/3pP3/3Pn3/2N2N2/PPP2PPP/R1BQKB1R[Pp] w KQkq - 0 8";
    case Variant::Knightmate:
      return "r1bqkb1r/ppp2ppp/2m2m2/3pp3/3PP3/2M2M2/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    case Variant::PocketKnight:
      return "r1bqkb1r/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQKB1R[Nn] w KQkq - 0 6";
    case Variant::Chess:
      break;
  }
  return "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
}

template <VariantRules R>
Board benchmark_board(bool middlegame) {
  return parse_fen<R>(middlegame ? middlegame_fen(R::kVariant) : R::kStartFen).value_or_throw("FEN");
}

}  // namespace farrier
