// A position as training wants it: active inputs and labels, small enough to wait by the hundred thousand in a
// shuffle buffer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/nnue/features.h"
#include "engine/variants/variant.h"

namespace farrier {

struct EncodedPosition {
  FeatureList inputs;  // as the side to move sees them; OtherView tells the other side's
  std::int16_t score_cp_stm = 0;
  std::int8_t result_stm = 0;  // +1 the side to move won, 0 a draw, -1 it lost
};

/// Turns an input of one view into the same fact's input of the other view: the two differ by a fixed exchange,
/// so one view is computed and kept.
class OtherView {
 public:
  explicit OtherView(Variant variant);

  FeatureIndex operator[](FeatureIndex input) const { return table_[input]; }

 private:
  std::vector<FeatureIndex> table_;
};

}  // namespace farrier
