// The verbs `train` and `export` on the command line.
#pragma once

#include <atomic>
#include <functional>

namespace CLI {
class App;
}

namespace farrier {

/// Adds the verb to `app`. When the line names it, `todo` becomes what main has to run; it returns the exit
/// status.
void add_train_verb(CLI::App& app, std::function<int()>& todo, std::atomic<bool>& stop);
void add_export_verb(CLI::App& app, std::function<int()>& todo);

}  // namespace farrier
