// Chances of win, draw and loss that go with a score.
#pragma once

#include "engine/search/score.h"
#include "engine/variants/variant.h"

namespace farrier {

/// In permille, from the side to move; the sum is 1000.
struct Wdl {
  int win = 0, draw = 0, loss = 0;
  friend bool operator==(const Wdl&, const Wdl&) = default;
};

/// What games of that variant came to after such a score (see wdl.cpp for their origin); a mate is certain.
Wdl wdl_of(Variant variant, Score score_cp_stm);

}  // namespace farrier
