// Static evaluation of positions along a line of play: by material, or by a net.
#pragma once

#include <memory>

#include "engine/chess/board.h"
#include "engine/nnue/net_file.h"
#include "engine/search/score.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// One evaluator serves one searching thread: it remembers what it computed along the present line.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// Centipawns from the side to move of `line[ply]`; `line[0 .. ply]` are the positions that lead to it from
  /// the search's root. ply <= kMaxPly.
  virtual Score evaluate(const Board* line, int ply) = 0;
};

/// An evaluator by `net`, which must be of R's variant, or by material (with hands) if it is null; material
/// gets noise of +-`material_noise_cp` that the position's key decides.
template <VariantRules R>
std::unique_ptr<Evaluator> make_evaluator(std::shared_ptr<const Net> net, int material_noise_cp);

/// What a man is worth in centipawns to the material evaluation, on the board or in hand; the royal man 0.
template <VariantRules R>
int material_value(PieceType t);

}  // namespace farrier
