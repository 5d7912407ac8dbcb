// A small experiment to be swept.
#pragma once

#include <string>

#include "trainer/config.h"

namespace farrier {

inline Experiment small_experiment(const std::string& extra = "") {
  return parse_experiment(
      "variant = \"knightmate\"\n[net]\nhidden = 16\n[train]\nepochs = 2\nbatch = 128\nthreads = "
      "1\nvalidation_share = 0.2\n" +
          extra,
      "small.toml");
}

}  // namespace farrier
