// The verb `selfplay`: plays games into shards.
#pragma once

#include <CLI/CLI.hpp>

namespace farrier {

void add_selfplay_verb(CLI::App& app);

}  // namespace farrier
