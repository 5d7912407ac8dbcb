// How a player breaks a game.
#pragma once

#include <string>

#include "engine/chess/outcome.h"

namespace farrier {

struct Fault {
  Termination kind = Termination::Crash;  // one for which is_fault() holds
  std::string what;                       // the particulars, for people
  friend bool operator==(const Fault&, const Fault&) = default;
};

}  // namespace farrier
