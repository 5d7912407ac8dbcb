// The Chess Engine Communication Protocol, version 2: how XBoard, WinBoard and their kin talk to an engine.
#pragma once

#include <iosfwd>

namespace farrier {

/// Talks XBoard until `quit` or the end of input. The opening word `xboard` may have been read already.
void run_xboard(std::istream& in, std::ostream& out);

}  // namespace farrier
