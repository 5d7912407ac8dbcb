// A training's settings in words: what a resumed one must agree with, and what a net's notes tell.
#pragma once

#include <map>
#include <string>

#include "trainer/checkpoint.h"
#include "trainer/dataset.h"
#include "trainer/train_loop.h"

namespace farrier {

/// All that decides the weights, on one line. Threads do not: sums are added in the same order on any number.
std::string settings_text(const TrainSettings& settings, const Dataset& dataset, int scale_cp);

/// What two such lines differ in: "epochs: then 2, now 3; from: then nothing, now ...".
std::string training_difference(const std::string& then, const std::string& now);

/// A net's notes on how it was trained, by name.
std::map<std::string, std::string> training_notes(const TrainSettings& settings, const Dataset& dataset,
                                                  const TrainProgress& progress);

/// "0.001", or the phases of the schedule.
std::string learning_rate_text(const TrainConfig& config);
/// "0.3", or "0.6 to 0.2".
std::string result_weight_text(const TrainConfig& config, int generation);

}  // namespace farrier
