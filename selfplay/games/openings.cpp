#include "selfplay/games/openings.h"

#include <cstdlib>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/chess/movegen.h"
#include "engine/chess/outcome.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

constexpr int kMaxTries = 10000;

/// Plays random moves; none if the game ends among them.
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

}  // namespace

template <VariantRules R>
Opening make_opening(Searcher<R>& searcher, const OpeningSettings& settings, std::uint64_t seed) {
  searcher.clear();
  Opening opening;
  opening.start = start_board<R>();
  SearchLimits limits;
  limits.soft_nodes = settings.check_nodes;
  limits.hard_nodes = 10 * settings.check_nodes;
  Rng rng(seed);
  for (int tries = 0; tries < kMaxTries; ++tries) {
    Game<R> game(opening.start);
    const int coin = settings.one_more_on_a_coin ? static_cast<int>(rng.below(2)) : 0;
    auto moves = random_moves(game, settings.random_plies + coin, rng);
    if (!moves) {
      ++opening.rejects.finished;
      continue;
    }
    opening.score_cp_stm = searcher.search(game, limits).score_cp_stm;
    if (std::abs(opening.score_cp_stm) <= settings.max_score_cp) {
      opening.moves = std::move(*moves);
      return opening;
    }
    ++opening.rejects.lopsided;
  }
  throw UserError("openings", "none of " + std::to_string(kMaxTries) + " random openings scores within " +
                                  std::to_string(settings.max_score_cp) + " cp; raise that limit");
}

#define FARRIER_INSTANTIATE(R) \
  template Opening make_opening<R>(Searcher<R>&, const OpeningSettings&, std::uint64_t);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
