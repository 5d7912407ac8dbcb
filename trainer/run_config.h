// What a run follows, kept in its folder: the experiment, and the files that it names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "trainer/config.h"
#include "trainer/run_state.h"

namespace farrier {

/// The run's own copies, so that it stays whole whatever becomes of the files that they were made from.
struct RunInputs {
  std::filesystem::path first_net;  // empty for material
  std::filesystem::path book;       // empty for random openings
};

/// Makes `experiment` what the run in `folder` follows, and freezes it there as `config.toml`, so that one folder never
/// mixes two by accident. A later start may differ in [run], in the name, and in sections of which nothing has been
/// made yet; with `change` in others too, which then hold for what is still to do. Variant, seed and, once it has
/// played, the first net never change. Throws UserError.
RunInputs adopt_experiment(const Experiment& experiment, const std::filesystem::path& folder, RunState& state,
                           bool change);

/// What generation `g` was made with unlike those before it: "net.hidden: then 16, now 32".
std::string change_in(const RunState& state, std::size_t g);

}  // namespace farrier
