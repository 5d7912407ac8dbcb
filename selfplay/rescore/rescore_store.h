// The folder in which rescoring grows: whole shards, a journal of the games between, a lock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "selfplay/data/folder_lock.h"
#include "selfplay/data/game_journal.h"
#include "selfplay/data/shard_info.h"

namespace farrier {

/// A shard to be written: which games of the set, counted through, and its attributes.
struct PlannedShard {
  std::uint64_t first_in_set = 0;
  std::uint64_t games = 0;
  ShardInfo info;
};

/// Games come in twice, as in GameStore: journal() in any order, accept() in the order of the set.
class RescoreStore {
 public:
  /// Opens or makes `folder`; `settings` are those that decide all scores. Throws UserError if it was begun with others.
  RescoreStore(const std::filesystem::path& folder, std::vector<PlannedShard> plan,
               const std::string& settings);

  /// All games before stand in whole shards.
  std::uint64_t first_game() const { return first_game_; }
  std::optional<GameRecord> recover(std::uint64_t index) const;
  std::size_t recoverable() const { return recovered_.size(); }

  void journal(std::uint64_t index, const GameRecord& game);
  void accept(GameRecord game);
  /// Leaves shards alone and gives the folder its name.
  void publish(const std::filesystem::path& path);

 private:
  void find_shards();

  std::filesystem::path folder_;
  std::vector<PlannedShard> plan_;
  FolderLock lock_;
  std::uint64_t first_game_ = 0;
  std::size_t current_shard_ = 0;
  std::map<std::uint64_t, GameRecord> recovered_;
  std::vector<GameRecord> current_games_;
  std::mutex journal_mutex_;
  std::optional<GameJournal> journal_;
};

}  // namespace farrier
