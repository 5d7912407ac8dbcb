// Which games of a set are the same, by content: 16 bytes a game in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "selfplay/data/game_record.h"
#include "selfplay/records/shard_catalogue.h"

namespace farrier {

/// A game's place in a catalogue.
struct GamePlace {
  std::uint32_t shard = 0;
  std::uint32_t game = 0;  // within its shard
  friend auto operator<=>(const GamePlace&, const GamePlace&) = default;
};

struct GameEntry {
  std::uint64_t content = 0;  // content_hash()
  GamePlace place;
  friend auto operator<=>(const GameEntry&, const GameEntry&) = default;
};

GameRecord read_game(const ShardCatalogue& catalogue, GamePlace place);
/// "game 12 of runs/x/shard-000003.h5".
std::string place_text(const ShardCatalogue& catalogue, GamePlace place);

/// The content of every game, sorted by it, games alike by place.
std::vector<GameEntry> index_games(const ShardCatalogue& catalogue, int workers);

/// Games that are like an earlier one.
struct GamePair {
  GamePlace first, second;
};
/// All of them in the order of the second; equal hashes are proved by reading both games.
std::vector<GamePair> find_repeated(const ShardCatalogue& catalogue, const std::vector<GameEntry>& sorted);
/// Those of `b` that stand in `a`, too; `first` is the place in `a`.
std::vector<GamePair> find_shared(const ShardCatalogue& a, const std::vector<GameEntry>& sorted_a,
                                  const ShardCatalogue& b, const std::vector<GameEntry>& sorted_b);

}  // namespace farrier
