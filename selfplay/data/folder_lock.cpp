#include "selfplay/data/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "engine/base/error.h"

namespace farrier {

FolderLock::FolderLock(const std::filesystem::path& folder, const char* name)
    : fd_(::open((folder / name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (fd_ < 0)
    throw UserError(folder.string(), std::string("cannot write here: ") + std::strerror(errno) +
                                         "; choose a folder that you may write to");
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(fd_);
  throw UserError(folder.string(),
                  reason == EWOULDBLOCK
                      ? "another process is at work in this folder; wait for its end or choose another folder"
                      : std::string("cannot lock this folder: ") + std::strerror(reason));
}

FolderLock::~FolderLock() { ::close(fd_); }

}  // namespace farrier
