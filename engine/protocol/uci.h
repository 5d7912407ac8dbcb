// The Universal Chess Interface, with variants, drops and `go perft`.
#pragma once

#include <iosfwd>

namespace farrier {

/// Talks UCI until `quit` or the end of input.
void run_uci(std::istream& in, std::ostream& out);

}  // namespace farrier
