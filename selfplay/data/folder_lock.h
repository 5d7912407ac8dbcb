// One writer per folder.
#pragma once

#include <filesystem>

namespace farrier {

/// Held as long as the object lives; the system frees it when a process dies, however it dies.
class FolderLock {
 public:
  /// Locks `folder` through a file `name` in it. Throws UserError if another process holds it.
  FolderLock(const std::filesystem::path& folder, const char* name);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

}  // namespace farrier
