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

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw UserError(path.string(), "is a folder, a file is wanted");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UserError(path.string(), std::string("can't be read: ") + std::strerror(errno));
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (in.bad()) throw UserError(path.string(), std::string("can't be read: ") + std::strerror(errno));
  return std::move(bytes).str();
}

void write_file_whole(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path beside = path.string() + ".tmp";
  const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const bool written = descriptor >= 0 && write_all(descriptor, bytes) && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (written && ::rename(beside.c_str(), path.c_str()) == 0) return;
  const int cause = written ? errno : error;
  ::unlink(beside.c_str());
  throw UserError(path.string(), std::string("can't be written: ") + std::strerror(cause));
}

}  // namespace farrier
