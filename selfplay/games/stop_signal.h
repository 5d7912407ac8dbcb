// SIGINT and SIGTERM as a flag that long work looks at.
#pragma once

#include <atomic>

namespace farrier {

/// From now on the first of these signals sets the flag; a second one ends the process at once.
std::atomic<bool>& stop_on_signals();

}  // namespace farrier
