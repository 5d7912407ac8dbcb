// A pass over the validation positions with the model as it stands.
#pragma once

#include <cstddef>

#include "trainer/dataset.h"
#include "trainer/loss.h"
#include "trainer/torch_model.h"
#include "trainer/validation.h"

namespace farrier {

/// In batches of `batch` positions or more. Throws UserError if a shard can no longer be read.
ValidationSums validate(NnueModel& model, const Dataset& dataset, const Architecture& architecture,
                        const Labels& labels, const Loss& loss, std::size_t batch);

}  // namespace farrier
