#include "selfplay/loading/game_cache.h"

#include "selfplay/loading/data_mix.h"

namespace farrier {
namespace {

/// What a game takes, with an estimate of what the C library adds to each of its allocations.
std::size_t bytes_of(const GameRecord& game) {
  constexpr std::size_t kAllocations = 4;
  constexpr std::size_t kEach = 16;
  return sizeof game + kAllocations * kEach + game.start_fen.capacity() +
         game.moves.capacity() * sizeof game.moves[0] +
         game.scores_cp_stm.capacity() * sizeof game.scores_cp_stm[0] +
         game.exploratory_plies.capacity() * sizeof game.exploratory_plies[0];
}

}  // namespace

GameCache::Key GameCache::key_of(const DataBlock& block) {
  return {block.shard, block.first_game, block.share};
}

GameCache::Games GameCache::find(const DataBlock& block) const {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(key_of(block));
  return found == blocks_.end() ? nullptr : found->second;
}

void GameCache::offer(const DataBlock& block, const Games& games) {
  std::size_t bytes = 0;
  for (const GameRecord& game : *games) bytes += bytes_of(game);
  const std::lock_guard lock(mutex_);
  if (bytes_ + bytes > most_bytes_) return;
  if (blocks_.emplace(key_of(block), games).second) bytes_ += bytes;
}

std::size_t GameCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace farrier
