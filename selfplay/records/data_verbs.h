// The verbs `farrier data ...`: records looked at, proved, translated, joined, split and relabelled.
#pragma once

#include <CLI/CLI.hpp>

namespace farrier {

void add_data_verbs(CLI::App& app);

// Parts of it:
void add_set_verbs(CLI::App& data);  // merge, split
void add_convert_verb(CLI::App& data);
void add_rescore_verb(CLI::App& data);

}  // namespace farrier
