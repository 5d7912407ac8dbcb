#include "selfplay/records/game_index.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "selfplay/records/work.h"

namespace farrier {
namespace {

void sort_by_second(std::vector<GamePair>& pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const GamePair& x, const GamePair& y) { return x.second < y.second; });
}

}  // namespace

GameEntry entry_of(const GameRecord& game, std::size_t shard, std::uint32_t number) {
  return {content_id(game), {static_cast<std::uint32_t>(shard), number}, game.game_seed};
}

GameRecord read_game(const ShardCatalogue& catalogue, GamePlace place) {
  GameReader reader(catalogue.shards[place.shard].path);
  reader.seek(place.game);
  GameRecord game;
  reader.next(game);
  return game;
}

std::string place_text(const ShardCatalogue& catalogue, GamePlace place) {
  return fmt::format("game {} of {}", place.game, catalogue.shards[place.shard].path.string());
}

std::vector<GameEntry> index_games(const ShardCatalogue& catalogue, int workers) {
  std::vector<GameEntry> entries;
  entries.reserve(catalogue.games);
  std::mutex mutex;
  for_each_in_parallel(catalogue.shards.size(), workers, [&](std::size_t k) {
    std::vector<GameEntry> part;
    GameReader reader(catalogue.shards[k].path);
    GameRecord game;
    for (std::uint32_t number = 0; reader.next(game); ++number) part.push_back(entry_of(game, k, number));
    const std::lock_guard guard(mutex);
    entries.insert(entries.end(), part.begin(), part.end());
  });
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<GamePair> find_repeated(const std::vector<GameEntry>& sorted) {
  std::vector<GamePair> pairs;
  for (std::size_t i = 1, first = 0; i < sorted.size(); ++i) {
    if (sorted[i].content == sorted[first].content)
      pairs.push_back({sorted[first].place, sorted[i].place, sorted[first].seed == sorted[i].seed});
    else
      first = i;
  }
  sort_by_second(pairs);
  return pairs;
}

std::vector<GamePair> find_shared(const std::vector<GameEntry>& sorted_a,
                                  const std::vector<GameEntry>& sorted_b) {
  std::vector<GamePair> pairs;
  auto in_a = sorted_a.begin();
  for (const GameEntry& entry : sorted_b) {
    while (in_a != sorted_a.end() && in_a->content < entry.content) ++in_a;
    if (in_a == sorted_a.end()) break;
    if (in_a->content == entry.content) pairs.push_back({in_a->place, entry.place, in_a->seed == entry.seed});
  }
  sort_by_second(pairs);
  return pairs;
}

}  // namespace farrier
