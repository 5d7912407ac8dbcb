// What a run was begun with, kept in its folder: the experiment, and the files that it names.
#pragma once

#include <filesystem>

#include "trainer/config.h"
#include "trainer/run_state.h"

namespace farrier {

/// The run's own copies, so that it stays whole whatever becomes of the files that they were made from.
struct RunInputs {
  std::filesystem::path first_net;  // empty for material
  std::filesystem::path book;       // empty for random openings
};

/// Freezes `experiment` as `config.toml` in the run's folder, so that one folder never mixes two by accident. A later
/// start may differ in [run], and in sections of which nothing has been made yet. With `change` it may differ in all
/// but variant and seed: what is made stays as it is, what is still to do follows the new settings, the file
/// before is kept as `config-000.toml` (001, ...), and the state tells the change. Throws UserError.
RunInputs adopt_experiment(const Experiment& experiment, const std::filesystem::path& folder, RunState& state,
                           bool change);

}  // namespace farrier
