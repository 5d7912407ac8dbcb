#include "selfplay/records/data_stats.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "engine/variants/dispatch.h"
#include "selfplay/data/replay.h"
#include "selfplay/records/key_sample.h"
#include "selfplay/records/work.h"

namespace farrier {
namespace {

int men_in_hand(const Board& board) {
  int men = 0;
  for (const auto& hand : board.hands) men += std::accumulate(hand.begin(), hand.end(), 0);
  return men;
}

/// Keys that wait for the shared sets, so that threads seldom meet.
struct WaitingKeys {
  std::vector<std::uint64_t> scored;
  std::array<std::vector<std::uint64_t>, 2> openings;
};

template <VariantRules R>
void add_game(DataStats& stats, WaitingKeys& keys, const GameRecord& game) {
  stats.sums.add(game);
  if (stats.games_of_plies.size() <= game.moves.size()) stats.games_of_plies.resize(game.moves.size() + 1);
  ++stats.games_of_plies[game.moves.size()];
  const auto note_opening = [&](std::size_t ply, std::uint64_t key) {
    for (std::size_t i = 0; i < stats.openings.size(); ++i) {
      if (static_cast<int>(ply) != stats.openings[i].ply) continue;
      ++stats.openings[i].games;
      keys.openings[i].push_back(key);
    }
  };
  const Board end = replay<R>(game, [&](const Board& board, Move move, std::int16_t score, std::size_t ply) {
    note_opening(ply, board.key);
    const std::size_t stretch = ply / kPliesPerStretch;
    if (stats.men.size() <= stretch) stats.men.resize(stretch + 1);
    ++stats.men[stretch].positions;
    stats.men[stretch].men += static_cast<std::uint64_t>(board.occupied().count());
    stats.men[stretch].men_in_hand += static_cast<std::uint64_t>(men_in_hand(board));
    if (score == kNoScore) return;
    ++stats.scored;
    keys.scored.push_back(board.key);
    stats.scores.add(score, board.side_to_move == Color::White ? game.result_white : -game.result_white);
    stats.in_check += is_check<R>(board);
    stats.noisy_moves += is_noisy(board, move);
    stats.drops += move.is_drop();
    for (const Color c : {Color::White, Color::Black})
      ++stats.royal_squares[static_cast<std::size_t>(index(c))]
                           [static_cast<std::size_t>(index(board.royal(c)))];
  });
  note_opening(game.moves.size(), end.key);
}

void add(DataStats& sum, const DataStats& part) {
  sum.sums.add(part.sums);
  sum.games_of_plies.resize(std::max(sum.games_of_plies.size(), part.games_of_plies.size()));
  for (std::size_t i = 0; i < part.games_of_plies.size(); ++i)
    sum.games_of_plies[i] += part.games_of_plies[i];
  sum.scores.add(part.scores);
  sum.scored += part.scored;
  sum.in_check += part.in_check;
  sum.noisy_moves += part.noisy_moves;
  sum.drops += part.drops;
  for (std::size_t c = 0; c < sum.royal_squares.size(); ++c)
    for (std::size_t s = 0; s < sum.royal_squares[c].size(); ++s)
      sum.royal_squares[c][s] += part.royal_squares[c][s];
  sum.men.resize(std::max(sum.men.size(), part.men.size()));
  for (std::size_t i = 0; i < part.men.size(); ++i) {
    sum.men[i].positions += part.men[i].positions;
    sum.men[i].men += part.men[i].men;
    sum.men[i].men_in_hand += part.men[i].men_in_hand;
  }
  for (std::size_t i = 0; i < sum.openings.size(); ++i) sum.openings[i].games += part.openings[i].games;
}

}  // namespace

std::size_t DataStats::median_plies() const {
  std::uint64_t seen = 0;
  for (std::size_t plies = 0; plies < games_of_plies.size(); ++plies)
    if (2 * (seen += games_of_plies[plies]) >= sums.games) return plies;
  return 0;
}

DataStats measure_data(const ShardCatalogue& catalogue, int workers, bool quiet) {
  constexpr std::size_t kKeysAtATime = 1 << 15;
  DataStats stats;
  stats.variant = catalogue.variant;
  stats.shards = catalogue.shards.size();
  stats.bytes = catalogue.bytes;
  for (const ShardEntry& shard : catalogue.shards)
    if (std::find(stats.nets.begin(), stats.nets.end(), shard.info.net) == stats.nets.end())
      stats.nets.push_back(shard.info.net);

  std::mutex mutex;
  KeySample positions;
  std::array<KeySample, 2> openings;
  const auto take = [&](WaitingKeys& keys) {
    const std::lock_guard guard(mutex);
    for (const std::uint64_t key : keys.scored) positions.insert(key);
    for (std::size_t i = 0; i < openings.size(); ++i)
      for (const std::uint64_t key : keys.openings[i]) openings[i].insert(key);
    keys = {};
  };

  WorkProgress progress(catalogue.games, !quiet);
  with_rules(catalogue.variant, [&]<VariantRules R>() {
    for_each_in_parallel(catalogue.shards.size(), workers, [&](std::size_t k) {
      DataStats part;
      WaitingKeys keys;
      GameReader reader(catalogue.shards[k].path);
      for (GameRecord game; reader.next(game); progress.add_game()) {
        add_game<R>(part, keys, game);
        if (keys.scored.size() >= kKeysAtATime) take(keys);
      }
      take(keys);
      const std::lock_guard guard(mutex);
      add(stats, part);
    });
  });
  stats.distinct = positions.distinct();
  stats.distinct_exact = positions.exact();
  for (std::size_t i = 0; i < openings.size(); ++i) stats.openings[i].distinct = openings[i].distinct();
  return stats;
}

}  // namespace farrier
