// The folder of a run of self-play: whole shards, a journal of the games between shards, a lock.
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
#include "selfplay/data/shard_set.h"

namespace farrier {

/// Takes games twice: journal() as they end, in any order, so that a kill loses none of them; accept() in the
/// order of their indices, out of which shard k gets the games [k*G, (k+1)*G). Both may run at once.
class GameStore {
 public:
  /// Opens or makes `folder`, and finds what it already holds. `info.settings` must be that of the games
  /// there.
  GameStore(const std::filesystem::path& folder, const ShardInfo& info, std::uint64_t games_per_shard);

  /// The index from which games have to be accepted: all before it stand in full shards.
  std::uint64_t first_game() const { return first_game_; }
  /// Sums over the full shards that were found.
  const GameSums& found() const { return found_; }
  /// A game from first_game() on that an earlier run left in the journal or in a last, shorter shard.
  std::optional<GameRecord> recover(std::uint64_t index) const;
  std::size_t recoverable() const { return recovered_.size(); }

  /// After finish(): the last shard holds games that an earlier, larger target asked for.
  bool holds_more() const { return last_shard_games_ > current_games_.size(); }

  void journal(std::uint64_t index, const GameRecord& game);
  void accept(GameRecord game);
  /// Writes the accepted games that fill no shard as a last, shorter one, and empties the journal.
  void finish();

  /// Of the shards.
  std::uint64_t bytes() const { return bytes_; }

 private:
  void find_shards();
  void write_current_shard();

  std::filesystem::path folder_;
  ShardInfo info_;
  std::uint64_t games_per_shard_;
  FolderLock lock_;

  GameSums found_;
  std::uint64_t bytes_ = 0;
  std::uint64_t first_game_ = 0;
  std::uint64_t last_shard_games_ = 0;  // in the last, shorter shard on disk
  std::uint64_t last_shard_bytes_ = 0;
  std::map<std::uint64_t, GameRecord> recovered_;

  std::mutex journal_mutex_;
  std::optional<GameJournal> journal_;
  std::uint64_t current_shard_ = 0;
  std::vector<GameRecord> current_games_;
};

}  // namespace farrier
