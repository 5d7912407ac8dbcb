#include "engine/base/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "engine/base/error.h"

namespace farrier {
namespace {

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

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

std::string read_file(const std::filesystem::path& path) {
  // A device or a pipe may never end.
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw UserError(path.string(), "is no plain file; give the path of one");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UserError(path.string(), std::string("can't be read: ") + std::strerror(errno));
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (in.bad()) throw UserError(path.string(), std::string("can't be read: ") + std::strerror(errno));
  return std::move(bytes).str();
}

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

void require_writable(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw UserError(path.string(), "is no plain file; give the path of one");
  const std::filesystem::path temporary = temporary_path(path);
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0)
    throw UserError(path.string(), std::string("can't be written: ") + std::strerror(errno));
  ::close(descriptor);
  ::unlink(temporary.c_str());
}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (!published_) std::filesystem::remove(temporary_, ignored);
}

void PendingFile::publish() {
  publish_file(temporary_, path_);
  published_ = true;
}

void write_file_whole(const std::filesystem::path& path, std::string_view bytes) {
  PendingFile file(path);
  const int descriptor = ::open(file.temporary().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const bool written = descriptor >= 0 && write_all(descriptor, bytes);
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!written)
    throw UserError(path.string(), std::string("can't be written: ") + std::strerror(error) +
                                       (error == ENOSPC   ? "; make room and give the same command again"
                                        : error == ENOENT ? "; make its folder first"
                                                          : ""));
  file.publish();
}

}  // namespace farrier
