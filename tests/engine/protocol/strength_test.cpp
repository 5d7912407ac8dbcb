// UCI_Elo as nodes and noise.
#include "engine/protocol/strength.h"

#include <gtest/gtest.h>

namespace farrier {
namespace {

TEST(LimitedStrength, AHigherEloSeesMoreAndJudgesBetter) {
  for (Variant variant : kAllVariants)
    for (int elo = kLeastElo; elo < kMostElo; elo += 25) {
      const Strength weak = strength_of(variant, elo), strong = strength_of(variant, elo + 25);
      EXPECT_LE(weak.nodes, strong.nodes) << variant_name(variant) << ' ' << elo;
      EXPECT_GE(weak.noise_cp, strong.noise_cp) << variant_name(variant) << ' ' << elo;
    }
}

TEST(LimitedStrength, StaysWithinWhatWasMeasured) {
  for (Variant variant : kAllVariants)
    for (int elo : {kLeastElo, kMostElo}) {
      const Strength strength = strength_of(variant, elo);
      EXPECT_GE(strength.nodes, 20U);
      EXPECT_LE(strength.nodes, 2000U);
      EXPECT_GE(strength.noise_cp, 0);
      EXPECT_LE(strength.noise_cp, 600);
    }
}

}  // namespace
}  // namespace farrier
