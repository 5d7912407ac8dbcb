// What a match tells besides its results: faults with the talk that led to them, and our own delays.
#pragma once

#include <filesystem>
#include <mutex>
#include <string_view>

namespace farrier {

/// A text file to which any worker appends. It is made when there is something to say; without a path nothing
/// is written.
class MatchLog {
 public:
  explicit MatchLog(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  /// Appends the text under a line with the time of day. Throws UserError if that fails.
  void add(std::string_view text);

 private:
  std::filesystem::path path_;
  std::mutex mutex_;
};

}  // namespace farrier
