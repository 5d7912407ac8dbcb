#include "selfplay/rescore/rescore_store.h"

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "selfplay/data/game_writer.h"
#include "selfplay/data/shard_set.h"

namespace farrier {
namespace {

constexpr const char* kLock = "rescore.lock";
constexpr const char* kJournal = "rescore.journal";

const std::filesystem::path& made(const std::filesystem::path& folder) {
  require_folder(folder);
  return folder;
}

}  // namespace

RescoreStore::RescoreStore(const std::filesystem::path& folder, std::vector<PlannedShard> plan,
                           const std::string& settings)
    : folder_(made(folder)), plan_(std::move(plan)), lock_(folder, kLock) {
  journal_.emplace(folder_ / kJournal, settings);
  find_shards();
  for (auto& [index, game] : journal_->games())
    if (index >= first_game_) recovered_.insert_or_assign(index, std::move(game));
}

void RescoreStore::find_shards() {
  for (; current_shard_ < plan_.size(); ++current_shard_) {
    const PlannedShard& planned = plan_[current_shard_];
    first_game_ = planned.first_in_set;
    const std::filesystem::path path = folder_ / shard_name(current_shard_);
    if (!std::filesystem::exists(path)) return;
    const GameReader reader(path);
    if (reader.info() != planned.info || reader.games() != planned.games)
      throw UserError(path.string(),
                      "comes from another source or program; delete its folder and begin anew");
    first_game_ += planned.games;
  }
}

std::optional<GameRecord> RescoreStore::recover(std::uint64_t index) const {
  const auto it = recovered_.find(index);
  if (it == recovered_.end()) return std::nullopt;
  return it->second;
}

void RescoreStore::journal(std::uint64_t index, const GameRecord& game) {
  const std::lock_guard guard(journal_mutex_);
  journal_->append(index, game);
}

void RescoreStore::accept(GameRecord game) {
  current_games_.push_back(std::move(game));
  const PlannedShard& planned = plan_[current_shard_];
  if (current_games_.size() < planned.games) return;
  write_shard(folder_ / shard_name(current_shard_), planned.info, current_games_);
  current_games_.clear();
  ++current_shard_;
  const std::lock_guard guard(journal_mutex_);
  journal_->drop_below(planned.first_in_set + planned.games);
}

void RescoreStore::publish(const std::filesystem::path& path) {
  journal_.reset();
  std::filesystem::remove(folder_ / kJournal);
  std::filesystem::remove(folder_ / kLock);
  publish_file(folder_, path);
}

}  // namespace farrier
