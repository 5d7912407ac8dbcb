#include "engine/nnue/evaluator.h"

#include <algorithm>
#include <array>

#include "engine/base/rng.h"
#include "engine/nnue/network_evaluator.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// In the order of PieceType: pawn, knight, bishop, rook, queen, king, commoner.
using ManValues = std::array<int, kPieceTypeCount>;

template <VariantRules R>
constexpr ManValues kManValues = {100, 320, 330, 500, 950, 0, 0};
/// Men come back, so their tempo counts more than their reach, and the values lie closer together.
template <>
constexpr ManValues kManValues<Crazyhouse> = {100, 260, 250, 330, 560, 0, 0};
/// The values of the rules' own text (knightmate.txt).
template <>
constexpr ManValues kManValues<Knightmate> = {100, 0, 325, 450, 1000, 0, 300};

template <VariantRules R>
class MaterialEvaluator final : public Evaluator {
 public:
  Score evaluate(const Board* line, int ply) override {
    const Board& board = line[ply];
    const Color us = board.side_to_move;
    Score score = 0;
    for (int t = 0; t < kPieceTypeCount; ++t) {
      const PieceType type = static_cast<PieceType>(t);
      int balance = board.men(us, type).count() - board.men(~us, type).count();
      if (R::kHasDrops && t < kHandTypeCount) balance += board.in_hand(us, type) - board.in_hand(~us, type);
      score += balance * material_value<R>(type);
    }
    return score;
  }
};

class NoisyEvaluator final : public Evaluator {
 public:
  NoisyEvaluator(std::unique_ptr<Evaluator> evaluator, EvaluationNoise noise)
      : evaluator_(std::move(evaluator)), noise_(noise) {}

  Score evaluate(const Board* line, int ply) override {
    const std::uint64_t width = 2 * static_cast<std::uint64_t>(noise_.cp) + 1;
    const Score noise = static_cast<Score>(mix64(line[ply].key ^ noise_.seed) % width) - noise_.cp;
    return std::clamp(evaluator_->evaluate(line, ply) + noise, -kMaxEval, kMaxEval);
  }

 private:
  std::unique_ptr<Evaluator> evaluator_;
  const EvaluationNoise noise_;
};

template <VariantRules R>
std::unique_ptr<Evaluator> make_exact_evaluator(std::shared_ptr<const Net> net) {
  if (!net) return std::make_unique<MaterialEvaluator<R>>();
  if (net->variant != R::kVariant)
    throw UserError("net", "it is for " + std::string(variant_name(net->variant)) + ", the game is " +
                               std::string(R::kUciName) + "; give a net of that variant");
  return std::make_unique<NetworkEvaluator<R>>(std::move(net));
}

}  // namespace

template <VariantRules R>
int material_value(PieceType t) {
  return kManValues<R>[index(t)];
}

template <VariantRules R>
std::unique_ptr<Evaluator> make_evaluator(std::shared_ptr<const Net> net, EvaluationNoise noise) {
  auto evaluator = make_exact_evaluator<R>(std::move(net));
  if (noise.cp == 0) return evaluator;
  return std::make_unique<NoisyEvaluator>(std::move(evaluator), noise);
}

#define INSTANTIATE(R)                       \
  template int material_value<R>(PieceType); \
  template std::unique_ptr<Evaluator> make_evaluator<R>(std::shared_ptr<const Net>, EvaluationNoise);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
