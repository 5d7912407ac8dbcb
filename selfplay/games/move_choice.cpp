#include "selfplay/games/move_choice.h"

#include <algorithm>
#include <cmath>

namespace farrier {

namespace {

/// A last iteration that explodes is cut there.
constexpr std::uint64_t kHardNodesPerSoft = 20;

}  // namespace

std::uint64_t NodeSchedule::soft_limit(int ply, Rng& rng) const {
  auto nodes = static_cast<double>(soft_nodes);
  if (late_soft_nodes > 0) {
    const double share = late_ply <= 0 ? 1 : std::min(1.0, static_cast<double>(ply) / late_ply);
    nodes += share * (static_cast<double>(late_soft_nodes) - nodes);
  }
  if (spread > 0) nodes *= 1 + spread * (2 * rng.uniform() - 1);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(nodes)));
}

SearchLimits NodeSchedule::limits(int ply, Rng& rng) const {
  SearchLimits limits;
  if (soft_nodes > 0) {
    limits.soft_nodes = soft_limit(ply, rng);
    limits.hard_nodes = kHardNodesPerSoft * *limits.soft_nodes;
  }
  if (depth > 0) limits.depth = depth;
  return limits;
}

std::size_t draw_line(const std::vector<SearchReport>& lines, const ExplorationSettings& settings, Rng& rng) {
  std::vector<double> weights;
  double sum = 0;
  for (const SearchReport& line : lines) {
    const int loss = lines[0].score_cp_stm - line.score_cp_stm;
    if (loss > settings.max_loss_cp) break;
    weights.push_back(std::exp(-loss / settings.temperature_cp));
    sum += weights.back();
  }
  double left = rng.uniform() * sum;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (left < weights[i]) return i;
    left -= weights[i];
  }
  return 0;
}

}  // namespace farrier
