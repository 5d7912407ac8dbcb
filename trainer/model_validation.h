// A pass over the validation positions with the net as it stands.
#pragma once

#include <cstddef>

#include "trainer/dataset.h"
#include "trainer/learner.h"
#include "trainer/loss.h"
#include "trainer/validation.h"

namespace farrier {

/// In batches of `batch` positions or more. Throws UserError if a shard can no longer be read.
ValidationSums validate(Learner& learner, const Dataset& dataset, const Architecture& architecture,
                        const Labels& labels, const Loss& loss, std::size_t batch);

}  // namespace farrier
