#include "selfplay/records/game_index.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "selfplay/records/game_content.h"
#include "selfplay/records/work.h"

namespace farrier {
namespace {

void sort_by_second(std::vector<GamePair>& pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const GamePair& x, const GamePair& y) { return x.second < y.second; });
}

}  // namespace

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
    for (std::uint32_t number = 0; reader.next(game); ++number)
      part.push_back({content_hash(game), {static_cast<std::uint32_t>(k), number}});
    const std::lock_guard guard(mutex);
    entries.insert(entries.end(), part.begin(), part.end());
  });
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<GamePair> find_repeated(const ShardCatalogue& catalogue, const std::vector<GameEntry>& sorted) {
  std::vector<GamePair> pairs;
  for (std::size_t i = 1, first = 0; i < sorted.size(); ++i) {
    if (sorted[i].content != sorted[first].content) {
      first = i;
      continue;
    }
    if (same_content(read_game(catalogue, sorted[first].place), read_game(catalogue, sorted[i].place)))
      pairs.push_back({sorted[first].place, sorted[i].place});
  }
  sort_by_second(pairs);
  return pairs;
}

std::vector<GamePair> find_shared(const ShardCatalogue& a, const std::vector<GameEntry>& sorted_a,
                                  const ShardCatalogue& b, const std::vector<GameEntry>& sorted_b) {
  std::vector<GamePair> pairs;
  auto in_a = sorted_a.begin();
  for (const GameEntry& entry : sorted_b) {
    while (in_a != sorted_a.end() && in_a->content < entry.content) ++in_a;
    if (in_a == sorted_a.end()) break;
    if (in_a->content == entry.content && same_content(read_game(a, in_a->place), read_game(b, entry.place)))
      pairs.push_back({in_a->place, entry.place});
  }
  sort_by_second(pairs);
  return pairs;
}

}  // namespace farrier
