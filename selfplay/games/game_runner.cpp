#include "selfplay/games/game_runner.h"

#include <stdexcept>

#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kOpeningStream = 1;
/// A last iteration that explodes is cut there.
constexpr std::uint64_t kHardNodesPerSoft = 20;

/// How the game stands after a move: ended by the rules, called, too long, or not over.
template <VariantRules R>
std::optional<Outcome> end_after_move(const Game<R>& game, const std::optional<Outcome>& called,
                                      int max_plies) {
  if (const auto outcome = game.outcome()) return outcome;
  if (called) return called;
  if (game.plies() >= max_plies) return Outcome{Termination::PlyLimit, 0};
  return std::nullopt;
}

}  // namespace

template <VariantRules R>
std::optional<PlayedGame> play_game(Searcher<R>& searcher, const GameSettings& settings,
                                    std::uint64_t game_seed, const std::atomic<bool>& stop) {
  PlayedGame played;
  const auto opening_start = Clock::now();
  const Opening opening =
      make_opening<R>(searcher, settings.openings, derive_seed(game_seed, kOpeningStream, 0));
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

  SearchLimits limits;
  limits.soft_nodes = settings.soft_nodes;
  limits.hard_nodes = kHardNodesPerSoft * settings.soft_nodes;
  const bool played_out = is_played_out(settings.adjudication, game_seed);
  Adjudicator adjudicator(settings.adjudication);
  for (std::optional<Outcome> end; !end;) {
    if (stop.load(std::memory_order_relaxed)) return std::nullopt;
    const auto search_start = Clock::now();
    const SearchReport report = searcher.search(game, limits);
    played.searching += Clock::now() - search_start;
    played.nodes += report.nodes;
    if (report.best_move.is_none())
      throw std::logic_error("the search found no move in " + to_fen<R>(game.board()));

    record.moves.push_back(report.best_move);
    record.scores_cp_stm.push_back(static_cast<std::int16_t>(report.score_cp_stm));
    const auto called = adjudicator.observe(game.board().side_to_move, report.score_cp_stm, game.plies());
    game.play(report.best_move);
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
                                                  const std::atomic<bool>&);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
