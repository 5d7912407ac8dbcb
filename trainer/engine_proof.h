// The proof that the engine plays exactly the net that was exported.
#pragma once

#include <cstdint>

#include "engine/nnue/net_file.h"

namespace farrier {

inline constexpr std::int64_t kProofPositions = 10'000;

/// Walks random games of the net's variant, and compares the engine's evaluation, brought up to date move by move as in
/// a search, with the trainer's own integers (quantised_score_cp_stm) at every position. Throws UserError that names the
/// first position where they differ. Returns the number of positions compared, at least `positions`.
std::int64_t prove_engine_agrees(const Net& net, std::int64_t positions = kProofPositions);

}  // namespace farrier
