#include "engine/search/wdl.h"

#include <algorithm>
#include <cmath>

namespace farrier {
namespace {

/// Logistic chances: half the games are won at `half_cp`, and they rise over `spread_cp`.
struct WdlModel {
  double half_cp, spread_cp;
};

/// Fitted by maximum likelihood to 400,000 scored positions of the self-play that trained the nets of nets/ (generation 1
/// in crazyhouse, 2 in knightmate and pocketknight; 300 to 400 nodes a move). Chess takes pocketknight's.
constexpr WdlModel model_of(Variant variant) {
  switch (variant) {
    case Variant::Crazyhouse:
      return {8, 381};
    case Variant::Knightmate:
      return {144, 210};
    case Variant::PocketKnight:
    case Variant::Chess:
      break;
  }
  return {158, 218};
}

}  // namespace

Wdl wdl_of(Variant variant, Score score_cp_stm) {
  if (is_mate_score(score_cp_stm)) return score_cp_stm > 0 ? Wdl{1000, 0, 0} : Wdl{0, 0, 1000};
  const WdlModel model = model_of(variant);
  const auto permille = [&](double score) {
    return static_cast<int>(std::lround(1000 / (1 + std::exp((model.half_cp - score) / model.spread_cp))));
  };
  const int win = permille(score_cp_stm);
  const int loss = std::min(permille(-score_cp_stm), 1000 - win);
  return {win, 1000 - win - loss, loss};
}

}  // namespace farrier
