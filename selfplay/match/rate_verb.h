// The verb `rate`: joint ratings over many matches.
#pragma once

namespace CLI {
class App;
}

namespace farrier {

/// Adds `rate` to the program.
void add_rate_verb(CLI::App& app);

}  // namespace farrier
