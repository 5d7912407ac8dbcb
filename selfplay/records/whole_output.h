// Outputs of the data verbs: a file or a folder that appears whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "selfplay/data/folder_lock.h"
#include "selfplay/data/game_writer.h"

namespace farrier {

/// Throws UserError if something stands at `path`: records took hours to make, and are never overwritten.
void require_absent(const std::filesystem::path& path);

/// A text that grows as `path`.tmp and takes its name in finish(); destroyed before, it leaves nothing.
class WholeFile {
 public:
  explicit WholeFile(const std::filesystem::path& path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view text);
  void finish();

 private:
  void flush();

  std::filesystem::path path_, temporary_;
  int fd_ = -1;
  std::string waiting_;
};

/// Shards 0, 1, ... of a new folder, which grows as `folder`.tmp and takes its name in finish(); destroyed before, it
/// leaves nothing. What a killed call left there is cleared away; a call that is still at work there is not disturbed.
class ShardFolderWriter {
 public:
  explicit ShardFolderWriter(const std::filesystem::path& folder);
  ~ShardFolderWriter();
  ShardFolderWriter(const ShardFolderWriter&) = delete;
  ShardFolderWriter& operator=(const ShardFolderWriter&) = delete;

  /// Ends the shard before; the new one gets a file with its first game.
  void begin_shard(const ShardInfo& info);
  void add(const GameRecord& game);
  void finish();

  std::uint64_t shards() const { return shards_; }

 private:
  void end_shard();

  std::filesystem::path folder_, temporary_;
  std::unique_ptr<FolderLock> lock_;
  ShardInfo info_;
  std::unique_ptr<GameWriter> shard_;
  std::uint64_t shards_ = 0;
  bool finished_ = false;
};

}  // namespace farrier
