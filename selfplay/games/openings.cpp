#include "selfplay/games/openings.h"

#include <cstdlib>
#include <unordered_set>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/chess/movegen.h"
#include "engine/chess/outcome.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

constexpr int kMaxTries = 10000;

/// Plays random moves on; none if the game ends among them.
template <VariantRules R>
std::optional<std::vector<Move>> random_moves(Game<R>& game, int plies, Rng& rng) {
  std::vector<Move> moves;
  for (int ply = 0; ply < plies; ++ply) {
    const MoveList legal = legal_moves<R>(game.board());
    moves.push_back(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
    game.play(moves.back());
    if (game.outcome()) return std::nullopt;
  }
  return moves;
}

[[noreturn]] void throw_no_level_opening(const OpeningSettings& settings, const OpeningRejects& rejects) {
  const std::string drawn = settings.book ? fmt::format("none of the openings drawn from the book ({} in it)",
                                                        settings.book->size())
                                          : std::string("none of the random openings");
  throw UserError(
      "openings",
      fmt::format(
          "{} can be used: {} lopsided (beyond {} cp), {} over already, {} drawn twice; raise that limit{}",
          drawn, rejects.lopsided, settings.max_score_cp, rejects.finished, rejects.repeated,
          settings.book ? " or give another book" : ""));
}

}  // namespace

template <VariantRules R>
std::optional<Opening> draw_opening(Searcher<R>& searcher, const OpeningSettings& settings,
                                    std::uint64_t seed, const std::atomic<bool>& stop, LiveRejects& live) {
  searcher.clear();
  Opening opening;
  opening.start = start_board<R>();
  SearchLimits limits;
  limits.soft_nodes = settings.check_nodes;
  limits.hard_nodes = 10 * settings.check_nodes;
  Rng rng(seed);
  const bool book_alone = settings.book && settings.random_plies == 0;
  // Of positions that were searched and thrown away; a small book is soon known to hold nothing.
  std::unordered_set<std::uint64_t> refused;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    if (stop.load(std::memory_order_relaxed)) return std::nullopt;
    std::vector<Move> moves;
    if (settings.book) {
      const Opening& drawn = (*settings.book)[rng.below(static_cast<std::uint32_t>(settings.book->size()))];
      opening.start = drawn.start;
      moves = drawn.moves;
    }
    Game<R> game(opening.start);
    for (Move move : moves) game.play(move);
    const int coin = settings.one_more_on_a_coin ? static_cast<int>(rng.below(2)) : 0;
    const auto random = random_moves(game, book_alone ? 0 : settings.random_plies + coin, rng);
    if (!random) {
      ++opening.rejects.finished;
      ++live.finished;
      continue;
    }
    if (settings.book && refused.count(game.board().key) > 0) {
      ++opening.rejects.repeated;
      ++live.repeated;
      continue;
    }
    opening.score_cp_stm = searcher.search(game, limits).score_cp_stm;
    if (std::abs(opening.score_cp_stm) <= settings.max_score_cp) {
      moves.insert(moves.end(), random->begin(), random->end());
      opening.moves = std::move(moves);
      return opening;
    }
    ++opening.rejects.lopsided;
    ++live.lopsided;
    refused.insert(game.board().key);
    if (book_alone && refused.size() == settings.book->size()) break;
  }
  throw_no_level_opening(settings, opening.rejects);
}

template <VariantRules R>
Opening make_opening(Searcher<R>& searcher, const OpeningSettings& settings, std::uint64_t seed) {
  const std::atomic<bool> never = false;
  LiveRejects unwatched;
  return *draw_opening<R>(searcher, settings, seed, never, unwatched);
}

#define FARRIER_INSTANTIATE(R)                                                                         \
  template std::optional<Opening> draw_opening<R>(Searcher<R>&, const OpeningSettings&, std::uint64_t, \
                                                  const std::atomic<bool>&, LiveRejects&);             \
  template Opening make_opening<R>(Searcher<R>&, const OpeningSettings&, std::uint64_t);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
