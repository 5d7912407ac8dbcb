#include "engine/protocol/strength.h"

#include <array>
#include <cmath>

namespace farrier {
namespace {

struct Level {
  int elo;
  double nodes, noise_cp;
};
using Levels = std::array<Level, 4>;

constexpr Levels levels_of(Variant variant) {
  switch (variant) {
    case Variant::Crazyhouse:
    case Variant::Knightmate:
    case Variant::PocketKnight:
    case Variant::Chess:
      break;
  }
  return {{{600, 20, 600}, {1200, 60, 250}, {1800, 200, 80}, {2400, 2000, 0}}};
}

}  // namespace

Strength strength_of(Variant variant, int elo) {
  const Levels levels = levels_of(variant);
  std::size_t upper = 1;
  while (upper + 1 < levels.size() && levels[upper].elo < elo) ++upper;
  const Level& a = levels[upper - 1];
  const Level& b = levels[upper];
  const double part = static_cast<double>(elo - a.elo) / (b.elo - a.elo);
  // Strength goes with the logarithm of the nodes.
  return {static_cast<std::uint64_t>(std::lround(a.nodes * std::pow(b.nodes / a.nodes, part))),
          static_cast<int>(std::lround(a.noise_cp + part * (b.noise_cp - a.noise_cp)))};
}

}  // namespace farrier
