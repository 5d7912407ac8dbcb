// The proof that a net's integers can't overflow in any position that the rules allow.
#pragma once

#include "engine/base/result.h"
#include "engine/nnue/net_file.h"

namespace farrier {

/// Fails with the reason if the net could overflow: worst-case accumulators (bounded by the men there can be)
/// beyond i16, the output sum beyond i32, or an output weight beyond kMaxOutputWeight. Holds the largest
/// |accumulator| that any position can reach.
Result<int> prove_no_overflow(const Net& net);

}  // namespace farrier
