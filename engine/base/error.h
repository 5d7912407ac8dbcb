// The one exception of the program family: a wrong file, call or configuration, told to the user.
#pragma once

#include <stdexcept>
#include <string>

namespace farrier {

/// Thrown for user and file errors, caught in `main`. `what()` is one sentence: the place (file, line,
/// option), what is wrong there, and the remedy. Bugs are asserts; parse errors are `Result`s.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  UserError(const std::string& place, const std::string& reason)
      : std::runtime_error(place + ": " + reason) {}
};

/// A command line that can't be meant: the program ends with the exit status of a wrong call.
class WrongCall : public UserError {
 public:
  using UserError::UserError;
};

}  // namespace farrier
