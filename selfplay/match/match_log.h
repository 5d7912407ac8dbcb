// What a match tells besides its results: faults with the talk that led to them, and our own delays.
#pragma once

#include <filesystem>
#include <mutex>
#include <string_view>

namespace farrier {

/// A text file to which any worker appends, made when there is something to say; standard error without a path.
class MatchLog {
 public:
  explicit MatchLog(std::filesystem::path path) : path_(std::move(path)) {}

  /// Appends the text under a line with the time of day. Throws UserError if that fails.
  void add(std::string_view text);

 private:
  std::filesystem::path path_;
  std::mutex mutex_;
};

}  // namespace farrier
