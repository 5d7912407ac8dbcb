// Which games of a set are the same, by content: 32 bytes a game in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "selfplay/data/game_record.h"
#include "selfplay/records/game_content.h"
#include "selfplay/records/shard_catalogue.h"

namespace farrier {

/// A game's place in a catalogue.
struct GamePlace {
  std::uint32_t shard = 0;
  std::uint32_t game = 0;  // within its shard
  friend auto operator<=>(const GamePlace&, const GamePlace&) = default;
};

struct GameEntry {
  ContentId content;
  GamePlace place;
  std::uint64_t seed = 0;
  friend auto operator<=>(const GameEntry&, const GameEntry&) = default;
};

GameEntry entry_of(const GameRecord& game, std::size_t shard, std::uint32_t number);
/// Opens the shard and reads a block of it: for a message, not for many games.
GameRecord read_game(const ShardCatalogue& catalogue, GamePlace place);
/// "game 12 of runs/x/shard-000003.h5".
std::string place_text(const ShardCatalogue& catalogue, GamePlace place);

/// The content of every game, sorted by it, games alike by place.
std::vector<GameEntry> index_games(const ShardCatalogue& catalogue, int workers);

/// Games that are like an earlier one.
struct GamePair {
  GamePlace first, second;
  bool same_seed = false;
};
/// All of them in the order of the second.
std::vector<GamePair> find_repeated(const std::vector<GameEntry>& sorted);
/// Those of `b` that stand in `a`, too; `first` is the place in `a`.
std::vector<GamePair> find_shared(const std::vector<GameEntry>& sorted_a,
                                  const std::vector<GameEntry>& sorted_b);

}  // namespace farrier
