// The verbs `data stats` and `data check`: what records hold, and the proof that they follow the rules.
#pragma once

#include <CLI/CLI.hpp>

namespace farrier {

void add_data_verbs(CLI::App& app);

}  // namespace farrier
