// Static evaluation of positions along a line of play: by material, or by a net.
#pragma once

#include <cstdint>
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

/// Added to evaluations: uniform in +-`cp`, fixed by the position and the seed, so that a search repeats.
struct EvaluationNoise {
  int cp = 0;
  std::uint64_t seed = 0;
};

/// An evaluator by `net`, which must be of R's variant, or by material (with hands) if it is null.
template <VariantRules R>
std::unique_ptr<Evaluator> make_evaluator(std::shared_ptr<const Net> net, EvaluationNoise noise = {});

/// What a man is worth in centipawns to the material evaluation, on the board or in hand; the royal man 0.
template <VariantRules R>
int material_value(PieceType t);

}  // namespace farrier
