#include "selfplay/records/merge.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "selfplay/data/game_journal.h"
#include "selfplay/records/game_index.h"
#include "selfplay/records/whole_output.h"
#include "selfplay/records/work.h"

namespace farrier {
namespace {

std::string run_text(const ShardInfo& info) {
  return fmt::format("seed {}, generation {}", info.seed, info.generation);
}

/// A run's shards in its own order; of two that begin alike, the one that holds more comes first, and the rest is
/// ordered by content, so that the order of the sources does not show.
ShardCatalogue ordered(const ShardCatalogue& catalogue, const std::vector<GameEntry>& games) {
  std::vector<std::uint64_t> first_content(catalogue.shards.size(), 0);
  for (const GameEntry& entry : games)
    if (entry.place.game == 0) first_content[entry.place.shard] = entry.content.hash;
  std::vector<std::size_t> order(catalogue.shards.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::size_t i) {
    const ShardEntry& shard = catalogue.shards[i];
    const ShardInfo& info = shard.info;
    return std::tuple(info.generation, info.seed, info.net, info.settings, info.first_game, ~shard.games,
                      first_content[i], shard.bytes);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  ShardCatalogue sorted = catalogue;
  sorted.shards.clear();
  for (const std::size_t i : order) sorted.shards.push_back(catalogue.shards[i]);
  return sorted;
}

/// Whether two shards of a run claim the same games: a selection claims none.
bool overlap(const ShardEntry& a, const ShardEntry& b) {
  return a.info.first_game < b.info.first_game + b.games && b.info.first_game < a.info.first_game + a.games &&
         scores_chose_moves(a.info) && scores_chose_moves(b.info) && !setting_of(a.info, kSelectionKey) &&
         !setting_of(b.info, kSelectionKey);
}

/// The first game of a run that two shards tell differently.
std::optional<std::uint64_t> first_difference(const ShardEntry& a, const ShardEntry& b) {
  const std::uint64_t first = std::max(a.info.first_game, b.info.first_game);
  const std::uint64_t end = std::min(a.info.first_game + a.games, b.info.first_game + b.games);
  GameReader reader_a(a.path), reader_b(b.path);
  reader_a.seek(first - a.info.first_game);
  reader_b.seek(first - b.info.first_game);
  GameRecord game_a, game_b;
  for (std::uint64_t game = first; game < end && reader_a.next(game_a) && reader_b.next(game_b); ++game)
    if (game_a != game_b) return game;
  return std::nullopt;
}

void find_clashes(const ShardCatalogue& sorted, bool keep, std::vector<std::string>& notes) {
  for (std::size_t i = 0; i < sorted.shards.size(); ++i) {
    for (std::size_t j = i + 1; j < sorted.shards.size(); ++j) {
      const ShardEntry &a = sorted.shards[i], &b = sorted.shards[j];
      if (a.info.seed != b.info.seed || a.info.generation != b.info.generation)
        break;  // they are sorted by run
      if (!overlap(a, b)) continue;
      const auto game = first_difference(a, b);
      if (!game) continue;
      const std::string clash =
          fmt::format("and {} tell game {} of {} differently", a.path.string(), *game, run_text(a.info));
      if (!keep)
        throw UserError(b.path.string(),
                        clash + "; make one of them again with another seed, or give --keep-clashes");
      notes.push_back(b.path.string() + " " + clash);
    }
  }
}

/// What a reader of the merged set should know.
void note_differences(const ShardCatalogue& sorted, std::vector<std::string>& notes) {
  std::set<std::string> nets;
  for (const ShardEntry& shard : sorted.shards) nets.insert(shard.info.net.substr(0, 12));
  if (nets.size() > 1)
    notes.push_back(fmt::format("played by {} nets: {}", nets.size(), fmt::join(nets, ", ")));
  for (std::size_t i = 1; i < sorted.shards.size(); ++i) {
    const std::string& before = sorted.shards[i - 1].info.settings;
    const std::string& here = sorted.shards[i].info.settings;
    if (before == here) continue;
    const std::string difference = first_differing_setting(before, here);
    notes.push_back(
        fmt::format("{} {}", sorted.shards[i].path.string(), difference.substr(0, difference.find(';'))));
    if (notes.size() > 20) return;
  }
}

/// Copies what `wanted(place)` takes of a shard; a shard that loses games says so in its settings.
template <class Wanted>
void copy_shard(const ShardCatalogue& catalogue, std::size_t k, const std::string& selection, Wanted wanted,
                std::uint64_t wanted_games, ShardFolderWriter& out, GameSums& sums) {
  if (wanted_games == 0) return;
  const ShardEntry& shard = catalogue.shards[k];
  ShardInfo info = shard.info;
  if (wanted_games < shard.games) info.settings = with_setting(info.settings, kSelectionKey, selection);
  out.begin_shard(info);
  GameReader reader(shard.path);
  GameRecord game;
  for (std::uint32_t number = 0; reader.next(game); ++number) {
    if (!wanted(GamePlace{static_cast<std::uint32_t>(k), number})) continue;
    out.add(game);
    sums.add(game);
  }
}

}  // namespace

MergeSummary merge_data(const MergeSettings& settings, const std::atomic<bool>& stop) {
  require_absent(settings.out);
  const ShardCatalogue given = read_catalogue_of(settings.sources);
  const ShardCatalogue catalogue = ordered(given, index_games(given, settings.workers));
  MergeSummary summary;
  find_clashes(catalogue, settings.keep_clashes, summary.notes);
  note_differences(catalogue, summary.notes);

  std::vector<GamePlace> repeated;
  for (const GamePair& pair : find_repeated(index_games(catalogue, settings.workers)))
    repeated.push_back(pair.second);
  summary.repeated = repeated.size();
  ShardFolderWriter out(settings.out);
  WorkProgress progress(catalogue.games);
  auto left_out = repeated.begin();
  for (std::size_t k = 0; k < catalogue.shards.size(); ++k) {
    throw_if_stopped(stop, settings.out.string());
    const auto end = std::find_if(left_out, repeated.end(), [&](GamePlace place) { return place.shard > k; });
    const auto lost = static_cast<std::uint64_t>(end - left_out);
    copy_shard(
        catalogue, k, fmt::format("merge left out {} games that stand elsewhere", lost),
        [&](GamePlace place) {
          progress.add_game();
          if (left_out == end || *left_out != place) return true;
          ++left_out;
          return false;
        },
        catalogue.shards[k].games - lost, out, summary.sums);
    left_out = end;
  }
  out.finish();
  summary.shards = out.shards();
  return summary;
}

std::string merge_text(const MergeSettings& settings, const MergeSummary& summary) {
  std::string text;
  for (const std::string& note : summary.notes) text += "note: " + note + '\n';
  text += fmt::format("{} games, {} scored positions in {} shards written to {}\n", summary.sums.games,
                      summary.sums.positions, summary.shards, settings.out.string());
  if (summary.repeated > 0) text += fmt::format("{} games stood twice and were left out\n", summary.repeated);
  return text;
}

SplitSummary split_data(const SplitSettings& settings, const std::atomic<bool>& stop) {
  if (settings.share.has_value() == settings.games.has_value())
    throw WrongCall("--share or --games", "give one of the two");
  if (settings.share && !(*settings.share > 0 && *settings.share < 1))
    throw WrongCall("--share", "give a share between 0 and 1");
  if (std::filesystem::weakly_canonical(settings.out) == std::filesystem::weakly_canonical(settings.rest))
    throw WrongCall("--rest", "give another folder than --out");
  require_absent(settings.out);
  require_absent(settings.rest);
  const ShardCatalogue catalogue = read_catalogue_of(settings.sources);

  const auto lot = [&](std::uint64_t content) { return derive_seed(settings.seed, 0x5B117, content); };
  std::vector<GameEntry> games = index_games(catalogue, settings.workers);
  std::vector<std::uint64_t> lots;
  for (const GameEntry& game : games) lots.push_back(lot(game.content.hash));
  std::sort(lots.begin(), lots.end());
  const std::uint64_t wanted =
      settings.games ? *settings.games
                     : static_cast<std::uint64_t>(*settings.share * static_cast<double>(lots.size()) + 0.5);
  if (wanted == 0 || wanted >= lots.size())
    throw UserError(settings.sources.front(),
                    fmt::format("{} games can't be split into {} and the rest; neither part may be empty",
                                lots.size(), wanted));
  const std::uint64_t limit = lots[wanted - 1];

  // By place, as the games come.
  std::sort(games.begin(), games.end(),
            [](const GameEntry& a, const GameEntry& b) { return a.place < b.place; });
  SplitSummary summary;
  const std::string drawn =
      fmt::format("split with seed {}, the {} games of the lowest lots", settings.seed, wanted);
  ShardFolderWriter out(settings.out), rest(settings.rest);
  WorkProgress progress(2 * catalogue.games);
  std::size_t next = 0;
  for (std::size_t k = 0; k < catalogue.shards.size(); ++k) {
    throw_if_stopped(stop, settings.out.string());
    const std::size_t first = next, count = catalogue.shards[k].games;
    next += count;
    const auto is_drawn = [&](GamePlace place) {
      return lot(games[first + place.game].content.hash) <= limit;
    };
    const auto drawn_here = static_cast<std::uint64_t>(std::count_if(
        games.begin() + static_cast<std::ptrdiff_t>(first), games.begin() + static_cast<std::ptrdiff_t>(next),
        [&](const GameEntry& game) { return is_drawn(game.place); }));
    copy_shard(
        catalogue, k, drawn, [&](GamePlace place) { return progress.add_game(), is_drawn(place); },
        drawn_here, out, summary.out);
    copy_shard(
        catalogue, k, "all but: " + drawn,
        [&](GamePlace place) { return progress.add_game(), !is_drawn(place); }, count - drawn_here, rest,
        summary.rest);
  }
  rest.finish();
  out.finish();
  return summary;
}

std::string split_text(const SplitSettings& settings, const SplitSummary& summary) {
  return fmt::format(
      "{} games, {} scored positions written to {}\n{} games, {} scored positions written to {}\n",
      summary.out.games, summary.out.positions, settings.out.string(), summary.rest.games,
      summary.rest.positions, settings.rest.string());
}

}  // namespace farrier
