// The verb `match`: is this one stronger?
#pragma once

namespace CLI {
class App;
}

namespace farrier {

/// Adds `match` to the program. Its callback throws CLI::RuntimeError with the exit status where that isn't
/// 0.
void add_match_verb(CLI::App& app);

}  // namespace farrier
