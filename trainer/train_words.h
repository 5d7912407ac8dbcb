// A training's settings in words: what a resumed one must agree with, and what a net's notes tell.
#pragma once

#include <string>

#include "trainer/dataset.h"
#include "trainer/train_loop.h"

namespace farrier {

/// All that decides the weights, on one line. Threads do not: sums are added in the same order on any number.
std::string settings_text(const TrainSettings& settings, const Dataset& dataset, int scale_cp);

/// "0.001", or the phases of the schedule.
std::string learning_rate_text(const TrainConfig& config);
/// "0.3", or "0.6 to 0.2".
std::string result_weight_text(const TrainConfig& config, int generation);

}  // namespace farrier
