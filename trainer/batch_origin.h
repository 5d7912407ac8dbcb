// Where a batch of training positions was recorded: for the message when one breaks a training.
#pragma once

#include <cstdint>
#include <string>

#include "trainer/batch_stream.h"
#include "trainer/dataset.h"

namespace farrier {

/// Batch number `batch` (from 0) of the training pass that `options` describe, in words: its shards and games, the
/// position with the score furthest from zero, and the call that shows it. Batches don't carry this along: the pass
/// is made again up to there, which takes seconds. Never throws: data that can no longer be read is said so.
std::string batch_origin(const Dataset& dataset, const StreamOptions& options, std::int64_t batch);

}  // namespace farrier
