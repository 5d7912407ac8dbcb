// The verb `sweep`.
#pragma once

#include <atomic>
#include <functional>

namespace CLI {
class App;
}

namespace farrier {

void add_sweep_verb(CLI::App& app, std::function<int()>& todo, std::atomic<bool>& stop);

}  // namespace farrier
