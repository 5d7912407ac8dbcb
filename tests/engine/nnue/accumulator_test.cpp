#include "engine/nnue/accumulators.h"

#include "engine/nnue/network_evaluator.h"
#include "tests/support/random_net.h"
#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

template <VariantRules R>
class AccumulatorsOf : public testing::Test {};
TYPED_TEST_SUITE(AccumulatorsOf, AllRules, RulesName);

constexpr int kHidden = 32;

/// The view's rows, by the words of features.h and architecture.h.
template <VariantRules R>
std::vector<int> plain_rows(const Net& net, const Board& board, Color view) {
  using Features = FeatureSet<R>;
  const FeatureScheme& scheme = net.architecture.features;
  const int king = index(relative(view, board.royal(view)));
  const bool mirrored = scheme.mirror && king % 8 < 4;
  const int bucket = scheme.king_buckets.empty() ? 0 : scheme.king_buckets[static_cast<std::size_t>(king)];
  const bool has_marks = Features::kHasPromoted && scheme.promoted;
  const int hand_start = kBoardInputs + (has_marks ? kPromotedInputs : 0);
  const int bucket_rows = hand_start + 2 * Features::kHandInputsPerSide;
  std::vector<int> rows;
  FeatureList inputs;
  active_features<R>(board, view, inputs);
  for (int input : inputs) {
    if (input >= Features::kHandStart) {
      rows.push_back(bucket * bucket_rows + input - Features::kHandStart + hand_start);
    } else if (input < kBoardInputs || has_marks) {
      const int file = mirrored ? 7 - input % 8 : input % 8;
      rows.push_back(bucket * bucket_rows + input / 8 * 8 + file);
    }
  }
  return rows;
}

/// The sums of `board` as the formula of arithmetic.h has them.
template <VariantRules R>
std::vector<std::int16_t> plain_sums(const Net& net, const Board& board, Color view) {
  std::vector<std::int16_t> sums(net.feature_bias.begin(), net.feature_bias.end());
  const auto hidden = static_cast<std::size_t>(net.architecture.hidden);
  for (int row : plain_rows<R>(net, board, view))
    for (std::size_t h = 0; h < hidden; ++h)
      sums[h] = static_cast<std::int16_t>(sums[h] +
                                          net.feature_weights[static_cast<std::size_t>(row) * hidden + h]);
  return sums;
}

TYPED_TEST(AccumulatorsOf, UpdatedAfterEveryMoveEqualPlainOnes) {
  std::vector<Architecture> architectures = various_architectures(TypeParam::kVariant);
  architectures.emplace_back().hidden = kHidden;
  for (const Architecture& architecture : architectures) {
    const auto net = std::make_shared<const Net>(random_net_of(TypeParam::kVariant, architecture));
    Accumulators<TypeParam> accumulators(net, 2);
    std::array<Board, 2> line{start_board<TypeParam>(), start_board<TypeParam>()};
    int positions = 0;
    // A game's first position differs from the last of the game before in everything: updates may be of any size.
    for_random_positions<TypeParam>(11, 20, 150, [&](const Board& board, const MoveList&) {
      line[1] = board;
      accumulators.bring_up_to_date(line.data(), 1);
      accumulators.bring_up_to_date(&board, 0);  // from the old root, or from nothing
      for (Color c : {Color::White, Color::Black}) {
        const std::vector<std::int16_t> sums = plain_sums<TypeParam>(*net, board, c);
        for (int ply : {0, 1})
          ASSERT_TRUE(std::equal(sums.begin(), sums.end(), accumulators.view(ply, c)))
              << describe(architecture) << ' ' << to_fen<TypeParam>(board) << " at ply " << ply;
      }
      line[0] = board;
      ++positions;
    });
    EXPECT_GT(positions, 1000);
  }
}

TYPED_TEST(AccumulatorsOf, EvaluationSkipsPliesAndStillEqualsAFreshOne) {
  for (const Architecture& architecture : various_architectures(TypeParam::kVariant)) {
    const auto net = std::make_shared<const Net>(random_net_of(TypeParam::kVariant, architecture));
    NetworkEvaluator<TypeParam> lazy(net);
    Rng rng(3);
    std::array<Board, kMaxPly + 1> line;
    for (int game = 0; game < 8; ++game) {
      line[0] = start_board<TypeParam>();
      for (int ply = 0; ply < 80; ++ply) {
        // As in a search: the line grows, is cut back, and only some of its positions are evaluated.
        if (rng.below(2) == 0) {
          NetworkEvaluator<TypeParam> fresh(net);
          ASSERT_EQ(lazy.evaluate(line.data(), ply), fresh.evaluate(&line[static_cast<std::size_t>(ply)], 0))
              << to_fen<TypeParam>(line[static_cast<std::size_t>(ply)]);
        }
        if (ply > 10 && rng.below(8) == 0) ply -= 1 + static_cast<int>(rng.below(8));
        const Board& board = line[static_cast<std::size_t>(ply)];
        const MoveList moves = legal_moves<TypeParam>(board);
        if (moves.empty()) break;
        line[static_cast<std::size_t>(ply) + 1] = after<TypeParam>(board, random_move(board, moves, rng));
      }
    }
  }
}

TYPED_TEST(AccumulatorsOf, EveryWidthGivesTheSumsOfItsFormula) {
  for (int hidden : kHiddenWidths) {
    const auto net = std::make_shared<const Net>(random_net_of(TypeParam::kVariant, hidden));
    const auto evaluator = make_evaluator<TypeParam>(net);
    for_random_positions<TypeParam>(4, 2, 60, [&](const Board& board, const MoveList&) {
      std::int64_t sum = 0;
      for (int side = 0; side < 2; ++side) {
        const Color view = side == 0 ? board.side_to_move : ~board.side_to_move;
        const std::vector<std::int16_t> sums = plain_sums<TypeParam>(*net, board, view);
        for (int h = 0; h < hidden; ++h) {
          const int active = std::clamp<int>(sums[static_cast<std::size_t>(h)], 0, kQa);
          sum += active * active * net->layers[0].weights[static_cast<std::size_t>(side * hidden + h)];
        }
      }
      const std::int64_t score = (sum / kQa + net->layers[0].bias[0]) * net->scale_cp / (kQa * kQb);
      ASSERT_EQ(evaluator->evaluate(&board, 0), std::clamp<std::int64_t>(score, -kMaxEval, kMaxEval))
          << hidden << ' ' << to_fen<TypeParam>(board);
    });
  }
}

TEST(Material, CountsMenInHand) {
  const auto evaluator = make_evaluator<Crazyhouse>(nullptr);
  const Board board = board_from<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[QPn] w - - 0 1");
  EXPECT_EQ(evaluator->evaluate(&board, 0), material_value<Crazyhouse>(PieceType::Queen) +
                                                material_value<Crazyhouse>(PieceType::Pawn) -
                                                material_value<Crazyhouse>(PieceType::Knight));
}

TEST(Material, NetOfAnotherVariantIsRefused) {
  EXPECT_THROW(make_evaluator<Knightmate>(std::make_shared<const Net>(random_net_of(Variant::Chess, 16))),
               UserError);
}

}  // namespace
}  // namespace farrier
