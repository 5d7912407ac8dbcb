#include "trainer/batch_origin.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "selfplay/data/game_reader.h"

namespace farrier {
namespace {

constexpr std::size_t kMostNamed = 3;

/// What the words are made of.
struct Contents {
  std::map<std::uint32_t, std::int64_t> positions_by_shard;
  std::set<std::pair<std::uint32_t, std::uint64_t>> games;
  TracedPosition furthest;
  std::int64_t positions = 0;

  void add(const TracedPosition& p) {
    ++positions_by_shard[p.shard];
    games.emplace(p.shard, p.game_seed);
    if (positions == 0 || std::abs(p.position.score_cp_stm) > std::abs(furthest.position.score_cp_stm))
      furthest = p;
    ++positions;
  }
};

Contents contents_of(const Dataset& dataset, const StreamOptions& options, std::int64_t batch) {
  const auto size = static_cast<std::int64_t>(options.batch);
  Contents contents;
  std::int64_t number = 0;
  dataset.trace(DataPart::Training, pass_of(options), [&](const TracedPosition& position) {
    if (number / size == batch) contents.add(position);
    return ++number < (batch + 1) * size;
  });
  return contents;
}

/// The game's place in its shard, which `farrier data show` asks for.
std::uint64_t game_number(const std::filesystem::path& shard, std::uint64_t seed) {
  std::uint64_t number = 0;
  std::uint64_t found = 0;
  GameReader(shard).for_each_header([&](const GameHeader& game) {
    if (game.game_seed == seed) found = number;
    ++number;
  });
  return found;
}

std::string in_words(const Dataset& dataset, const Contents& c) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> shards;
  for (const auto& [shard, positions] : c.positions_by_shard) shards.emplace_back(-positions, shard);
  std::sort(shards.begin(), shards.end());
  std::string names;
  for (std::size_t i = 0; i < std::min(shards.size(), kMostNamed); ++i)
    names += fmt::format("{}{} ({})", i == 0 ? "" : ", ", dataset.shard(shards[i].second).string(),
                         -shards[i].first);
  if (shards.size() > kMostNamed) names += fmt::format(" and {} more shards", shards.size() - kMostNamed);

  const TracedPosition& p = c.furthest;
  const std::filesystem::path& shard = dataset.shard(p.shard);
  return fmt::format(
      "its {} positions come from {} games in {}; the one furthest from even has {} cp and result {} for the "
      "side to "
      "move: farrier data show {} --game {} --ply {}",
      c.positions, c.games.size(), names, p.position.score_cp_stm, p.position.result_stm, shard.string(),
      game_number(shard, p.game_seed), p.ply);
}

}  // namespace

std::string batch_origin(const Dataset& dataset, const StreamOptions& options, std::int64_t batch) {
  try {
    const Contents contents = contents_of(dataset, options, batch);
    if (contents.positions == 0) return "its positions are no longer in the data";
    return in_words(dataset, contents);
  } catch (const UserError& error) {
    return fmt::format("where it came from can't be told ({})", error.what());
  }
}

}  // namespace farrier
