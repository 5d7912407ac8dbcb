// Which inputs of one net stand for the same facts as those of another, across variants and king buckets.
#pragma once

#include <vector>

#include "engine/base/result.h"
#include "engine/nnue/architecture.h"

namespace farrier {

struct InputTransfer {
  /// By row within a king bucket of the new net: the row within a bucket of the old one, -1 if it has none.
  std::vector<int> row_in_bucket;
  /// By king bucket of the new net: the old one's bucket that it is a part of.
  std::vector<int> bucket;
};

/// Fails with a sentence if the old net tells kings apart that the new one doesn't.
Result<InputTransfer> transfer_inputs(Variant old_variant, const FeatureScheme& old_scheme, Variant variant,
                                      const FeatureScheme& scheme);

}  // namespace farrier
