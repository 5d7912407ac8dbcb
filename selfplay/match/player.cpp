#include "selfplay/match/player.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/rng.h"
#include "engine/chess/movegen.h"
#include "engine/search/time_manager.h"
#include "engine/variants/dispatch.h"

namespace farrier {

namespace {

SearcherOptions options_of(const PlayerSpec& spec) {
  SearcherOptions options;
  options.hash_mib = spec.hash_mib;
  options.threads = 1;
  options.net = spec.net;
  options.params = spec.params;
  if (!spec.net) options.noise.cp = spec.material_noise_cp;
  return options;
}

/// What a search in this process takes beyond its limit.
constexpr std::int64_t kOverheadMs = 3;

/// Shares the clock out as the engine does when a GUI sends it.
void limit_to_clock(SearchLimits& limits, const ClockReading& reading) {
  const std::optional<std::int64_t> move_time = limits.hard_time_ms;
  set_time_limits(limits,
                  Clock{.time_ms = reading.time_ms,
                        .increment_ms = reading.increment_ms,
                        .moves_to_go = reading.moves_to_go},
                  kOverheadMs);
  if (move_time) limits.hard_time_ms = std::min(*move_time, limits.hard_time_ms.value_or(*move_time));
}

}  // namespace

template <VariantRules R>
SearchPlayer<R>::SearchPlayer(const PlayerSpec& spec, const std::atomic<bool>* stop)
    : searcher_(options_of(spec)), stop_(stop), is_long_(spec.is_timed()) {
  limits_.control = &control_;
  limits_.hard_nodes = spec.hard_nodes;
  limits_.soft_nodes = spec.soft_nodes;
  limits_.depth = spec.depth;
  if (spec.move_time) limits_.hard_time_ms = std::max<std::int64_t>(spec.move_time->count() - kOverheadMs, 1);
}

template <VariantRules R>
void SearchPlayer<R>::new_game() {
  searcher_.clear();
}

template <VariantRules R>
PlayerMove SearchPlayer<R>::choose(const Turn<R>& turn) {
  const auto start = std::chrono::steady_clock::now();
  SearchLimits limits = limits_;
  if (const auto& clock = turn.clocks[turn.game.board().side_to_move == Color::White ? 0 : 1])
    limit_to_clock(limits, *clock);
  SearchListener listener;
  if (is_long_) {
    listener.on_root_move = [this](int, Move, int) {
      if (is_stopped()) control_.stop();
    };
  }
  const SearchReport report = searcher_.search(turn.game, limits, listener);
  return {.move = report.best_move,
          .score_cp_stm = report.score_cp_stm,
          .depth = report.depth,
          .nodes = report.nodes,
          .elapsed = std::chrono::steady_clock::now() - start,
          .interrupted = is_stopped()};
}

namespace {

std::uint64_t fnv1a(std::uint64_t hash, std::string_view text) {
  for (const char byte : text) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001B3ULL;
  return hash;
}
constexpr std::uint64_t kFnvStart = 0xCBF29CE484222325ULL;

}  // namespace

template <VariantRules R>
PlayerMove RandomPlayer<R>::choose(const Turn<R>& turn) {
  MoveList moves;
  generate_legal<R>(turn.game.board(), moves);
  Rng rng(derive_seed(seed_, fnv1a(kFnvStart, turn.start_fen), fnv1a(kFnvStart, turn.moves)));
  return {.move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))]};
}

std::string net_identity(const Net* net) {
  if (net == nullptr) return "material";
  Net bare = *net;
  bare.notes.clear();
  return fmt::format("{:016x}", fnv1a(kFnvStart, serialise_net(bare)));
}

#define FARRIER_INSTANTIATE(R)    \
  template class SearchPlayer<R>; \
  template class RandomPlayer<R>;
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
