// Checks of numbers on the command line beyond what CLI11 brings.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace farrier {

/// For unsigned numbers: strtoull reads "-1" as the largest one.
inline CLI::Validator not_negative() {
  return CLI::Validator(
      [](std::string& text) {
        return text.starts_with('-') ? "must not be negative, and is " + text : std::string();
      },
      "UINT");
}

}  // namespace farrier
