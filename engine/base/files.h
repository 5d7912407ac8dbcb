// Whole files read and written, so that a reader never meets a half-written one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace farrier {

/// The bytes of a file. Throws UserError.
std::string read_file(const std::filesystem::path& path);

/// Makes `folder` and its parents. Throws UserError if that fails or something else stands there.
void require_folder(const std::filesystem::path& folder);

/// Throws UserError if a file could not be written there later: no such folder, no right, or something else stands there.
void require_writable(const std::filesystem::path& path);

/// `path` + ".tmp", in the same folder, so that a rename never crosses file systems.
std::filesystem::path temporary_path(const std::filesystem::path& path);

/// Makes `temporary` durable and gives it the name `path`, replacing what stood there. Throws UserError.
void publish_file(const std::filesystem::path& temporary, const std::filesystem::path& path);

/// A file that grows under its temporary name; destroyed before publish(), it leaves nothing.
class PendingFile {
 public:
  explicit PendingFile(const std::filesystem::path& path) : path_(path), temporary_(temporary_path(path)) {}
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  /// Throws UserError, as publish_file does.
  void publish();

 private:
  std::filesystem::path path_, temporary_;
  bool published_ = false;
};

/// Writes `bytes` beside `path` (suffix .tmp), syncs, and renames: the file appears whole or not at all.
/// Throws UserError and leaves what was there before.
void write_file_whole(const std::filesystem::path& path, std::string_view bytes);

}  // namespace farrier
