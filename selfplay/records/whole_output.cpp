#include "selfplay/records/whole_output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "selfplay/data/shard_set.h"

namespace farrier {
namespace {

constexpr const char* kLockName = "writer.lock";

/// Whether all in `folder` can only come from a killed call of ours.
bool holds_shards_alone(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("shard-") && name != kLockName) return false;
  }
  return true;
}

void remove_shards(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename() != kLockName) std::filesystem::remove(entry.path());
}

}  // namespace

void require_absent(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error)))
    throw UserError(path.string(), "is there already; choose another name or delete it");
}

WholeFile::WholeFile(const std::filesystem::path& path) : path_(path), temporary_(temporary_path(path)) {
  require_absent(path);
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (fd_ < 0)
    throw UserError(path.string(), std::string("can't be written: ") + std::strerror(errno) +
                                       "; choose a folder that exists and that you may write to");
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0 || ::ftruncate(fd_, 0) != 0) {
    ::close(fd_);
    throw UserError(path.string(), "another process is writing it; wait for its end or choose another name");
  }
}

WholeFile::~WholeFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

void WholeFile::write(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() >= (1u << 16)) flush();
}

void WholeFile::finish() {
  flush();
  publish_file(temporary_, path_);
  ::close(fd_);
  fd_ = -1;
}

void WholeFile::flush() {
  for (std::string_view rest = waiting_; !rest.empty();) {
    const ssize_t n = ::write(fd_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      throw UserError(path_.string(), std::string("can't be written: ") + std::strerror(errno) +
                                          "; nothing was kept, make room and give the same command again");
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  waiting_.clear();
}

ShardFolderWriter::ShardFolderWriter(const std::filesystem::path& folder)
    : folder_(folder), temporary_(temporary_path(folder)) {
  require_absent(folder);
  if (std::filesystem::exists(temporary_) &&
      (!std::filesystem::is_directory(temporary_) || !holds_shards_alone(temporary_)))
    throw UserError(temporary_.string(), "is in the way; move it, or choose another folder to write");
  require_folder(temporary_);
  lock_ = std::make_unique<FolderLock>(temporary_, kLockName);
  remove_shards(temporary_);
}

ShardFolderWriter::~ShardFolderWriter() {
  if (finished_) return;
  shard_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(temporary_, ignored);
}

void ShardFolderWriter::begin_shard(const ShardInfo& info) {
  end_shard();
  info_ = info;
}

void ShardFolderWriter::add(const GameRecord& game) {
  if (!shard_) shard_ = std::make_unique<GameWriter>(temporary_ / shard_name(shards_), info_);
  shard_->add(game);
}

void ShardFolderWriter::finish() {
  end_shard();
  std::filesystem::remove(temporary_ / kLockName);
  publish_file(temporary_, folder_);
  finished_ = true;
}

void ShardFolderWriter::end_shard() {
  if (!shard_) return;
  shard_->finish();
  shard_.reset();
  ++shards_;
}

}  // namespace farrier
