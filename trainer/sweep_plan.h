// Which trainings a sweep is made of: every combination of the values of some keys of an experiment.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trainer/config.h"

namespace farrier {

/// A key of the experiment and the values that it takes one after the other.
struct SweepAxis {
  std::string key;                  // "train.lr"
  std::vector<std::string> values;  // as TOML, or a text without its quotes
};

/// Reads "train.lr=1e-3,5e-4"; commas within brackets, braces or quotes belong to a value. Throws UserError.
SweepAxis parse_sweep_axis(const std::string& text);

/// One training of a sweep.
struct SweepPoint {
  std::vector<std::pair<std::string, std::string>> settings;  // key and value, in the order of the axes
  std::string name;                                           // of its folder: "lr=1e-3,hidden=32"
  Experiment experiment;
};

/// All combinations, the last axis fastest; with more than one seed each is there once a seed, from the experiment's
/// own upwards. Throws UserError for a key that is unknown or no matter of training, and for a value that it can't
/// have, before anything is done.
std::vector<SweepPoint> plan_sweep(const Experiment& experiment, const std::vector<SweepAxis>& axes,
                                   int seeds);

}  // namespace farrier
