// From floats to the engine's integers, with an independent integer forward and the rounding error measured.
#pragma once

#include <span>

#include "engine/base/result.h"
#include "engine/nnue/net_file.h"
#include "trainer/float_net.h"

namespace farrier {

/// Rounds every weight to its scale (arithmetic.h), king buckets with what they share. Fails with the reason if a weight is no number or too
/// large for its integer, or if some position could overflow the result.
Result<Net> quantise(const FloatNet& net, Variant variant, int scale_cp);

/// The net's score of a position in plain integers, straight from arithmetic.h (and held within kMaxEval, as all
/// evaluations are), sharing no code with the engine's inference: what the engine is checked against. Takes the rows of
/// both views.
int quantised_score_cp_stm(const Net& net, std::span<const FeatureIndex> stm,
                           std::span<const FeatureIndex> other, int output_bucket);

/// Distances between float and integer scores over a set of positions, in centipawns.
struct QuantisationError {
  double mean_cp = 0;
  double p99_cp = 0;
  double worst_cp = 0;
  std::size_t positions = 0;
};
QuantisationError measure_quantisation(const FloatNet& exact, const Net& net, const SparseBatch& positions);

}  // namespace farrier
