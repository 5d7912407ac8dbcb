#include "selfplay/match/player.h"

#include <fmt/core.h>

#include "engine/variants/dispatch.h"

namespace farrier {

namespace {

SearcherOptions options_of(const PlayerSpec& spec) {
  SearcherOptions options;
  options.hash_mib = spec.hash_mib;
  options.threads = 1;
  options.net = spec.net;
  if (!spec.net) options.noise.cp = spec.material_noise_cp;
  return options;
}

}  // namespace

template <VariantRules R>
SearchPlayer<R>::SearchPlayer(const PlayerSpec& spec) : searcher_(options_of(spec)) {
  limits_.hard_nodes = spec.hard_nodes;
  limits_.soft_nodes = spec.soft_nodes;
}

template <VariantRules R>
void SearchPlayer<R>::new_game() {
  searcher_.clear();
}

template <VariantRules R>
PlayerMove SearchPlayer<R>::choose(const Game<R>& game) {
  const SearchReport report = searcher_.search(game, limits_);
  return {.move = report.best_move, .score_cp_stm = report.score_cp_stm, .nodes = report.nodes};
}

std::string net_identity(const Net* net) {
  if (net == nullptr) return "material";
  Net bare = *net;
  bare.notes.clear();
  std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a 64
  for (const char byte : serialise_net(bare))
    hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001B3ULL;
  return fmt::format("{:016x}", hash);
}

#define FARRIER_INSTANTIATE(R) template class SearchPlayer<R>;
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
