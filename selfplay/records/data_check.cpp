#include "selfplay/records/data_check.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/variants/dispatch.h"
#include "selfplay/data/replay.h"
#include "selfplay/records/game_index.h"
#include "selfplay/records/key_sample.h"
#include "selfplay/records/score_faults.h"
#include "selfplay/records/work.h"

namespace farrier {
namespace {

/// What one pass over a set finds out besides faults.
struct Pass {
  std::mutex mutex;
  CheckReport report;
  std::vector<GameEntry> games;
  KeySample positions;
};

template <VariantRules R>
void note_positions(const GameRecord& game, ScoreTable& scores, std::vector<std::uint64_t>& keys) {
  replay<R>(game, [&](const Board& board, Move, std::int16_t score, std::size_t) {
    if (score == kNoScore) return;
    scores.add(score, board.side_to_move == Color::White ? game.result_white : -game.result_white);
    keys.push_back(board.key);
  });
}

template <VariantRules R>
void check_shard(const ShardEntry& shard, std::size_t k, bool wants_positions, Pass& pass,
                 WorkProgress& progress) {
  GameReader reader(shard.path);
  GameSums sums;
  ScoreTable scores;
  std::vector<GameEntry> games;
  std::vector<std::uint64_t> keys;
  const ScoreRule rule = setting_of(shard.info, kImportKey) ? ScoreRule::MayLack : ScoreRule::Every;
  GameRecord game;
  for (std::uint32_t number = 0; reader.next(game); ++number, progress.add_game()) {
    auto fault = find_fault<R>(game, rule);
    if (!fault) fault = find_score_fault<R>(game, scores_chose_moves(shard.info));
    if (fault)
      throw UserError(shard.path.string(),
                      fmt::format("game {} breaks the rules: {}; make the data again: {}", number, *fault,
                                  describe_game<R>(game)));
    sums.add(game);
    games.push_back(entry_of(game, k, number));
    note_positions<R>(game, scores, keys);
    if (!wants_positions) keys.clear();
    if (keys.size() < (std::size_t{1} << 15)) continue;
    const std::lock_guard guard(pass.mutex);
    for (const std::uint64_t key : keys) pass.positions.insert(key);
    keys.clear();
  }
  const std::lock_guard guard(pass.mutex);
  for (const std::uint64_t key : keys) pass.positions.insert(key);
  pass.games.insert(pass.games.end(), games.begin(), games.end());
  pass.report.sums.add(sums);
  pass.report.scores.add(scores);
}

void check_shards(const ShardCatalogue& catalogue, const CheckOptions& options, Pass& pass,
                  WorkProgress& progress) {
  with_rules(catalogue.variant, [&]<VariantRules R>() {
    for_each_in_parallel(catalogue.shards.size(), options.workers, [&](std::size_t k) {
      check_shard<R>(catalogue.shards[k], k, options.against.has_value(), pass, progress);
    });
  });
  std::sort(pass.games.begin(), pass.games.end());
}

/// The two places and the game, as every message about games alike ends.
UserError alike_error(const ShardCatalogue& here, const ShardCatalogue& there, const GamePair& pair,
                      const std::string& remedy) {
  const GameRecord game = read_game(here, pair.second);
  return UserError(
      here.shards[pair.second.shard].path.string(),
      fmt::format("game {} is {}; {}: {}", pair.second.game, place_text(there, pair.first), remedy,
                  with_rules(here.variant, [&]<VariantRules R>() { return describe_game<R>(game); })));
}

/// The same game of the same seed is a copy; of another seed, two games that went alike.
void judge_repeated(const ShardCatalogue& catalogue, const CheckOptions& options, Pass& pass) {
  for (const GamePair& pair : find_repeated(pass.games)) {
    if (pair.same_seed || options.unique)
      throw alike_error(catalogue, catalogue, pair, "`farrier data merge` leaves such games out");
    ++pass.report.alike;
  }
}

}  // namespace

CheckReport check_data(const ShardCatalogue& catalogue, const CheckOptions& options) {
  require_no_gaps(catalogue);
  Pass pass;
  pass.report.variant = catalogue.variant;
  WorkProgress progress(catalogue.games + (options.against ? options.against->games : 0), !options.quiet);
  check_shards(catalogue, options, pass, progress);
  judge_repeated(catalogue, options, pass);
  if (!options.against) return pass.report;

  const ShardCatalogue& other = *options.against;
  if (other.variant != catalogue.variant)
    throw UserError(other.shards.front().path.string(),
                    fmt::format("holds games of {}, not of {}; name a set of the same variant",
                                variant_name(other.variant), variant_name(catalogue.variant)));
  Pass other_pass;
  check_shards(other, options, other_pass, progress);
  const auto shared = find_shared(other_pass.games, pass.games);
  if (!shared.empty())
    throw alike_error(
        catalogue, other, shared.front(),
        fmt::format("{} games stand in both sets, split them anew with `farrier data split`", shared.size()));
  pass.report.shared_positions = pass.positions.share_in(other_pass.positions);
  pass.report.shared_exact = pass.positions.exact() && other_pass.positions.exact();
  return pass.report;
}

std::string check_text(const CheckReport& report, const CheckOptions& options) {
  std::string text =
      fmt::format("{} games, {} plies of {}: all moves legal, all ends and results right, no game twice\n",
                  report.sums.games, report.sums.plies, variant_name(report.variant));
  if (report.alike > 0)
    text +=
        fmt::format("{} games went like another one with a seed of its own (--unique calls that a fault)\n",
                    report.alike);
  if (options.against)
    text += fmt::format("no game stands in the other set; of the positions {}{:.2f}% do\n",
                        report.shared_exact ? "" : "about ", 100 * report.shared_positions);
  text +=
      fmt::format("{:.1f}% of {} scores beyond {} cp in decided games point at the winner\n",
                  100 * report.scores.coherence(), report.scores.clear_scores(), ScoreTable::kClearScoreCp);
  return text + score_table_text(report.scores);
}

}  // namespace farrier
