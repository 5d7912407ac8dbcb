// A value, or the reason why there is none: what parsers return, so that callers and tests can read the
// reason.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

#include "engine/base/error.h"

namespace farrier {

/// The reason of a failed parse; converts to any `Result<T>`.
struct Failure {
  std::string reason;
};

template <class T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}            // NOLINT: implicit, so that `return value;` reads
  Result(Failure failure) : state_(std::move(failure)) {}  // NOLINT: likewise

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }
  const T& operator*() const { return std::get<T>(state_); }
  T& operator*() { return std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }
  const std::string& reason() const { return std::get<Failure>(state_).reason; }

  /// The value; a failure becomes a `UserError` that names `place`.
  T value_or_throw(const std::string& place) const {
    if (!ok()) throw UserError(place, reason());
    return std::get<T>(state_);
  }

 private:
  std::variant<T, Failure> state_;
};

}  // namespace farrier
