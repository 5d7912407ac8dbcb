#include "engine/nnue/features.h"

#include <set>

#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

template <VariantRules R>
std::set<int> features(const Board& board, Color view) {
  FeatureList list;
  active_features<R>(board, view, list);
  std::set<int> distinct(list.begin(), list.end());
  EXPECT_EQ(distinct.size(), list.size()) << "an input is active twice";
  return distinct;
}

/// The same position with colours exchanged and the board turned.
template <VariantRules R>
Board mirrored(const Board& board) {
  Board turned;
  for (Square s : board.occupied()) {
    const Piece p = board.at(s);
    turned.put(Piece(~p.color(), p.type(), p.promoted()), relative(Color::Black, s));
  }
  for (Color c : {Color::White, Color::Black})
    for (int t = 0; t < kHandTypeCount; ++t)
      turned.set_in_hand(~c, static_cast<PieceType>(t), board.in_hand(c, static_cast<PieceType>(t)));
  return turned;
}

template <VariantRules R>
class Features : public testing::Test {};
TYPED_TEST_SUITE(Features, AllRules, RulesName);

TYPED_TEST(Features, LieWithinTheirNumberAndCountEveryMan) {
  for_random_positions<TypeParam>(21, 50, 150, [](const Board& board, const MoveList&) {
    int men = board.occupied().count() + board.promoted.count();
    for (const auto& hand : board.hands)
      for (int held : hand) men += held;
    for (Color view : {Color::White, Color::Black}) {
      const std::set<int> active = features<TypeParam>(board, view);
      EXPECT_EQ(static_cast<int>(active.size()), men);
      EXPECT_LT(*active.rbegin(), FeatureSet<TypeParam>::kInputs);
    }
  });
}

TYPED_TEST(Features, BothSidesSeeTheSameFromTheirOwnView) {
  for_random_positions<TypeParam>(22, 20, 100, [](const Board& board, const MoveList&) {
    const Board turned = mirrored<TypeParam>(board);
    EXPECT_EQ(features<TypeParam>(board, Color::White), features<TypeParam>(turned, Color::Black));
    EXPECT_EQ(features<TypeParam>(board, Color::Black), features<TypeParam>(turned, Color::White));
  });
}

TEST(FeatureNumbering, NumbersOfInputsAreThoseOfTheVariants) {
  EXPECT_EQ(feature_count(Variant::Chess), 768);
  EXPECT_EQ(feature_count(Variant::Crazyhouse), 768 + 128 + 60);
  EXPECT_EQ(feature_count(Variant::Knightmate), 768);
  EXPECT_EQ(feature_count(Variant::PocketKnight), 770);
}

TEST(FeatureNumbering, PromotedManIsAManAndAMark) {
  const Board plain = board_from<Crazyhouse>("4k3/8/8/3Q4/8/8/8/4K3[] w - - 0 1");
  const Board marked = board_from<Crazyhouse>("4k3/8/8/3Q~4/8/8/8/4K3[] w - - 0 1");
  std::set<int> with_mark = features<Crazyhouse>(plain, Color::White);
  with_mark.insert(768 + 35);  // own mark on d5
  EXPECT_EQ(features<Crazyhouse>(marked, Color::White), with_mark);
}

TEST(FeatureNumbering, HandsAreUnaryCounts) {
  const Board board = board_from<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[PPPq] w - - 0 1");
  const std::set<int> active = features<Crazyhouse>(board, Color::White);
  constexpr int kHands = 768 + 128;
  for (int n : {0, 1, 2}) EXPECT_TRUE(active.contains(kHands + n));
  EXPECT_FALSE(active.contains(kHands + 3));
  EXPECT_TRUE(active.contains(kHands + 30 + 28));  // the enemy's first queen: after P16 N4 B4 R4
}

}  // namespace
}  // namespace farrier
