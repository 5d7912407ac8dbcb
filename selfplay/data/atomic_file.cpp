#include "selfplay/data/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "engine/base/error.h"

namespace farrier {
namespace {

void sync_path(const std::filesystem::path& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
  if (fd < 0) throw UserError(path.string(), std::string("cannot open: ") + std::strerror(errno));
  const int failed = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  // Some file systems cannot sync a folder, and say EINVAL; a rename there is as durable as it gets.
  if (failed != 0 && failed != EINVAL)
    throw UserError(path.string(), std::string("cannot write to the disk: ") + std::strerror(failed));
}

}  // namespace

std::filesystem::path temporary_path(const std::filesystem::path& path) {
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  return temporary;
}

void publish_file(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  sync_path(temporary, O_RDONLY);
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) throw UserError(path.string(), "cannot put the finished file in place: " + error.message());
  sync_path(path.has_parent_path() ? path.parent_path() : ".", O_RDONLY | O_DIRECTORY);
}

void require_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw UserError(folder.string(),
                    "cannot make this folder: " + error.message() + "; choose one that you may write to");
}

}  // namespace farrier
