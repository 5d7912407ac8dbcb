#include "selfplay/games/game_store.h"

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "selfplay/data/game_writer.h"

namespace farrier {
namespace {

const std::filesystem::path& made(const std::filesystem::path& folder) {
  require_folder(folder);
  return folder;
}

}  // namespace

GameStore::GameStore(const std::filesystem::path& folder, const ShardInfo& info,
                     std::uint64_t games_per_shard)
    : folder_(made(folder)), info_(info), games_per_shard_(games_per_shard), lock_(folder, "games.lock") {
  find_shards();
  journal_.emplace(folder_ / "games.journal", info_.settings);
  for (auto& [index, game] : journal_->games())
    if (index >= first_game_) recovered_.insert_or_assign(index, std::move(game));
}

void GameStore::find_shards() {
  for (;; ++current_shard_) {
    const std::filesystem::path path = folder_ / shard_name(current_shard_);
    first_game_ = current_shard_ * games_per_shard_;
    if (!std::filesystem::exists(path)) return;
    GameReader reader = open_shard(path, info_.variant);
    if (reader.info().settings != info_.settings)
      throw UserError(folder_.string(), first_differing_setting(reader.info().settings, info_.settings));
    if (reader.info().first_game != first_game_ || reader.games() > games_per_shard_)
      throw UserError(path.string(), "does not belong to this run; move it to a folder of its own");
    const std::uint64_t size = std::filesystem::file_size(path);
    bytes_ += size;
    if (reader.games() < games_per_shard_) {
      GameRecord game;
      while (reader.next(game)) recovered_.insert_or_assign(first_game_ + recovered_.size(), game);
      last_shard_games_ = reader.games();
      last_shard_bytes_ = size;
      return;
    }
    reader.for_each_header([this](const GameHeader& game) { found_.add(game); });
  }
}

std::optional<GameRecord> GameStore::recover(std::uint64_t index) const {
  const auto it = recovered_.find(index);
  if (it == recovered_.end()) return std::nullopt;
  return it->second;
}

void GameStore::journal(std::uint64_t index, const GameRecord& game) {
  const std::lock_guard guard(journal_mutex_);
  journal_->append(index, game);
}

void GameStore::accept(GameRecord game) {
  current_games_.push_back(std::move(game));
  if (current_games_.size() < games_per_shard_) return;
  write_current_shard();
  current_games_.clear();
  ++current_shard_;
  const std::lock_guard guard(journal_mutex_);
  journal_->drop_below(current_shard_ * games_per_shard_);
}

void GameStore::finish() {
  if (current_games_.size() > last_shard_games_) write_current_shard();
  const std::lock_guard guard(journal_mutex_);
  // Games beyond a target that was lowered stay, for a larger one later.
  journal_->drop_below(current_shard_ * games_per_shard_ + current_games_.size());
}

void GameStore::write_current_shard() {
  const std::filesystem::path path = folder_ / shard_name(current_shard_);
  info_.first_game = current_shard_ * games_per_shard_;
  write_shard(path, info_, current_games_);
  // It may have replaced the shorter shard that an earlier, smaller run left.
  bytes_ += std::filesystem::file_size(path) - last_shard_bytes_;
  last_shard_games_ = last_shard_bytes_ = 0;
}

}  // namespace farrier
