#include "selfplay/games/game_runner.h"

#include <stdexcept>

#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kOpeningStream = 1;
constexpr std::uint64_t kChoiceStream = 3;

/// How the game stands after a move: ended by the rules, called, too long, or not over.
template <VariantRules R>
std::optional<Outcome> end_after_move(const Game<R>& game, const std::optional<Outcome>& called,
                                      int max_plies) {
  if (const auto outcome = game.outcome()) return outcome;
  if (called) return called;
  if (game.plies() >= max_plies) return Outcome{Termination::PlyLimit, 0};
  return std::nullopt;
}

/// A move and the score with which it was chosen.
struct Choice {
  Move move;
  Score score_cp_stm = 0;
  bool exploratory = false;
  std::uint64_t nodes = 0;
};

template <VariantRules R>
Choice choose_best(Searcher<R>& searcher, const Game<R>& game, const SearchLimits& limits) {
  const SearchReport report = searcher.search(game, limits);
  return {report.best_move, report.score_cp_stm, false, report.nodes};
}

template <VariantRules R>
Choice choose_by_lot(Searcher<R>& searcher, const Game<R>& game, SearchLimits limits,
                     const ExplorationSettings& settings, Rng& rng) {
  // As many nodes for each line as for a single one, so that the best move is judged as well as elsewhere.
  limits.multi_pv = settings.lines;
  for (auto* nodes : {&limits.soft_nodes, &limits.hard_nodes})
    if (*nodes) **nodes *= static_cast<std::uint64_t>(settings.lines);
  std::vector<SearchReport> lines;
  SearchListener listener;
  listener.on_report = [&lines](const SearchReport& report) {
    // Every iteration tells all its lines, the best first; the last one counts.
    if (report.multi_pv == 1) lines.clear();
    lines.push_back(report);
  };
  const SearchReport best = searcher.search(game, limits, listener);
  if (lines.empty() || lines[0].best_move != best.best_move)
    return {best.best_move, best.score_cp_stm, false, best.nodes};
  const std::size_t drawn = draw_line(lines, settings, rng);
  return {lines[drawn].best_move, lines[drawn].score_cp_stm, drawn > 0, best.nodes};
}

}  // namespace

template <VariantRules R>
std::optional<PlayedGame> play_game(Searcher<R>& searcher, const GameSettings& settings,
                                    std::uint64_t game_seed, const std::atomic<bool>& stop,
                                    LiveRejects& live) {
  PlayedGame played;
  const auto opening_start = Clock::now();
  const std::optional<Opening> drawn =
      draw_opening<R>(searcher, settings.openings, derive_seed(game_seed, kOpeningStream, 0), stop, live);
  if (!drawn) return std::nullopt;
  const Opening& opening = *drawn;
  played.searching += Clock::now() - opening_start;
  played.rejects = opening.rejects;

  GameRecord& record = played.record;
  record.game_seed = game_seed;
  record.start_fen = to_fen<R>(opening.start);
  record.moves = opening.moves;
  record.random_plies = static_cast<std::uint16_t>(opening.moves.size());
  record.scores_cp_stm.assign(opening.moves.size(), kNoScore);
  Game<R> game(opening.start);
  for (Move move : opening.moves) game.play(move);

  played.opening_key = game.board().key;

  Rng rng(derive_seed(game_seed, kChoiceStream, 0));
  const ExplorationSettings& exploration = settings.exploration;
  const bool played_out = is_played_out(settings.adjudication, game_seed);
  Adjudicator adjudicator(settings.adjudication);
  for (std::optional<Outcome> end; !end;) {
    if (stop.load(std::memory_order_relaxed)) return std::nullopt;
    const SearchLimits limits = settings.nodes.limits(game.plies(), rng);
    const bool explores =
        exploration.share > 0 && game.plies() < exploration.last_ply && rng.uniform() < exploration.share;
    const auto search_start = Clock::now();
    const Choice choice = explores ? choose_by_lot<R>(searcher, game, limits, exploration, rng)
                                   : choose_best<R>(searcher, game, limits);
    played.searching += Clock::now() - search_start;
    played.nodes += choice.nodes;
    if (choice.move.is_none())
      throw std::logic_error("the search found no move in " + to_fen<R>(game.board()));

    if (choice.exploratory)
      record.exploratory_plies.push_back(static_cast<std::uint16_t>(record.moves.size()));
    record.moves.push_back(choice.move);
    record.scores_cp_stm.push_back(static_cast<std::int16_t>(choice.score_cp_stm));
    const auto called = adjudicator.observe(game.board().side_to_move, choice.score_cp_stm, game.plies());
    game.play(choice.move);
    end = end_after_move(game, played_out ? std::nullopt : called, settings.max_plies);
    if (end) {
      record.termination = end->termination;
      record.result_white = end->result_white;
    }
  }
  return played;
}

#define FARRIER_INSTANTIATE(R)                                                                      \
  template std::optional<PlayedGame> play_game<R>(Searcher<R>&, const GameSettings&, std::uint64_t, \
                                                  const std::atomic<bool>&, LiveRejects&);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
