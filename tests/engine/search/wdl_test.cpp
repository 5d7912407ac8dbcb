// The chances that go with a score.
#include "engine/search/wdl.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace farrier {
namespace {

class WdlOf : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(AllVariants, WdlOf, testing::ValuesIn(kAllVariants),
                         [](const auto& tested) { return std::string(variant_name(tested.param)); });

TEST_P(WdlOf, SumsToAThousandAndRisesWithTheScore) {
  Wdl before = wdl_of(GetParam(), -31000);
  for (Score score = -3000; score <= 3000; score += 7) {
    const Wdl wdl = wdl_of(GetParam(), score);
    EXPECT_EQ(wdl.win + wdl.draw + wdl.loss, 1000) << score;
    EXPECT_GE(std::min({wdl.win, wdl.draw, wdl.loss}), 0) << score;
    EXPECT_GE(wdl.win, before.win) << score;
    EXPECT_LE(wdl.loss, before.loss) << score;
    before = wdl;
  }
}

TEST_P(WdlOf, OneSidesWinIsTheOthersLoss) {
  for (Score score : {0, 15, 80, 400, 2000}) {
    const Wdl ours = wdl_of(GetParam(), score), theirs = wdl_of(GetParam(), -score);
    EXPECT_NEAR(ours.win, theirs.loss, 1) << score;
    EXPECT_NEAR(ours.draw, theirs.draw, 1) << score;
  }
}

TEST_P(WdlOf, AMateIsCertain) {
  EXPECT_EQ(wdl_of(GetParam(), mate_in(5)), (Wdl{1000, 0, 0}));
  EXPECT_EQ(wdl_of(GetParam(), mated_in(4)), (Wdl{0, 0, 1000}));
}

TEST(Wdl, DrawsAreRareInCrazyhouse) {
  EXPECT_LT(wdl_of(Variant::Crazyhouse, 0).draw, 50);
  EXPECT_GT(wdl_of(Variant::Knightmate, 0).draw, 200);
}

}  // namespace
}  // namespace farrier
