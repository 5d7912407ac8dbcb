#include "trainer/engine_proof.h"

#include <memory>
#include <vector>

#include <fmt/core.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/nnue/evaluator.h"
#include "engine/nnue/input_map.h"
#include "engine/variants/dispatch.h"
#include "trainer/quantise.h"

namespace farrier {
namespace {

constexpr std::uint64_t kProofSeed = 0x9800F;
constexpr int kLongestGame = 120;  // a line of the evaluator holds it

/// The trainer's side: both views' rows and the bucket, made anew for each position.
template <VariantRules R>
int trainers_score(const Net& net, const InputMap& map, const Board& board) {
  FeatureList rows[kColorCount];
  MenCounts men;
  for (Color view : {board.side_to_move, ~board.side_to_move}) {
    FeatureList inputs;
    active_features<R>(board, view, inputs);
    men = count_men(inputs, R::kVariant);
    map.map_view(inputs, rows[view == board.side_to_move ? 0 : 1]);
  }
  return quantised_score_cp_stm(net, {rows[0].begin(), rows[0].size()}, {rows[1].begin(), rows[1].size()},
                                net.architecture.output_bucket(men.on_board, men.in_hand));
}

template <VariantRules R>
std::int64_t compare_games(const std::shared_ptr<const Net>& net, std::int64_t positions) {
  const InputMap map(net->variant, net->architecture.features);
  const auto evaluator = make_evaluator<R>(net);
  std::vector<Board> line(kLongestGame + 1);
  std::int64_t compared = 0;
  for (std::uint64_t game = 0; compared < positions; ++game) {
    Rng rng(derive_seed(kProofSeed, game, 0));
    line[0] = start_board<R>();
    for (int ply = 0; ply <= kLongestGame; ++ply, ++compared) {
      const Board& board = line[static_cast<std::size_t>(ply)];
      const int ours = trainers_score<R>(*net, map, board);
      const int engines = evaluator->evaluate(line.data(), ply);
      if (ours != engines)
        throw UserError("net proof",
                        fmt::format("the engine evaluates {} as {} cp, the trainer's integers give {}; "
                                    "this is a fault of Farrier, please report it",
                                    to_fen<R>(board), engines, ours));
      const MoveList moves = legal_moves<R>(board);
      if (moves.empty() || ply == kLongestGame) break;
      line[static_cast<std::size_t>(ply) + 1] = board;
      make_move<R>(line[static_cast<std::size_t>(ply) + 1],
                   moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
  }
  return compared;
}

}  // namespace

std::int64_t prove_engine_agrees(const Net& net, std::int64_t positions) {
  const auto shared = std::make_shared<const Net>(net);
  return with_rules(net.variant, [&]<VariantRules R>() { return compare_games<R>(shared, positions); });
}

}  // namespace farrier
