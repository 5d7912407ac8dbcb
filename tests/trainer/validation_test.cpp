#include "trainer/validation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/chess/fen.h"
#include "engine/variants/dispatch.h"
#include "selfplay/loading/packed_position.h"
#include "trainer/metrics.h"

namespace farrier {
namespace {

ValidationSample sample(double forecast, double result, int phase = 0, double loss = 0) {
  return {forecast, 0.5, result, loss, phase};
}

template <VariantRules R>
int phase_at(Variant variant, const char* fen) {
  const Board board = parse_fen<R>(fen).value_or_throw(fen);
  const PackedPosition position = pack<R>(board);
  return Phases(variant).of(position.on_board(), position.in_hand);
}

TEST(Phases, AreToldByTheMenOnTheBoardWhereCapturedMenLeaveTheGame) {
  const Phases phases(Variant::Knightmate);
  EXPECT_EQ(phases.of(32, 0), 0);
  EXPECT_EQ(phases.of(29, 0), 0);
  EXPECT_EQ(phases.of(28, 0), 1);
  EXPECT_EQ(phases.of(2, 0), kPhases - 1);
  EXPECT_EQ(phases.name(0), "29-32 men");
  EXPECT_EQ(phases.name(1), "24-28 men");
  EXPECT_EQ(phases.name(4), "2-10 men");
}

TEST(Phases, AreToldByTheMenInBothHandsInCrazyhouse) {
  const Phases phases(Variant::Crazyhouse);
  EXPECT_EQ(phases.of(32, 0), 0);
  EXPECT_EQ(phases.of(31, 1), 1);
  EXPECT_EQ(phases.of(20, 12), kPhases - 1);
  EXPECT_EQ(phases.name(0), "none in hand");
  EXPECT_EQ(phases.name(1), "1-2 in hand");
  EXPECT_EQ(phases.name(4), "8+ in hand");
}

TEST(Phases, AreCountedFromAPackedPosition) {
  // Eight men on the board, two of them promoted, and seven in the hands.
  EXPECT_EQ(phase_at<Crazyhouse>(Variant::Crazyhouse, "4k3/Q~7/8/8/8/2n~5/PP6/R3K2r[QPPrnbb] w - - 0 1"), 3);
  EXPECT_EQ(phase_at<Crazyhouse>(Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"), 0);
  // A pocket knight is no man on the board, nor does it tell the phase.
  EXPECT_EQ(phase_at<PocketKnight>(Variant::PocketKnight,
                                   "rnbqkbnr/pppp4/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQkq - 0 1"),
            1);
}

TEST(Validation, TheSignIsRightIfTheForecastFavoursTheWinner) {
  ValidationSums sums;
  sums.add(sample(0.6, 1));
  sums.add(sample(0.4, 1));
  sums.add(sample(0.4, 0));
  sums.add(sample(0.45, 0));
  EXPECT_EQ(sums.decisive, 4);
  EXPECT_DOUBLE_EQ(sums.sign_accuracy(), 0.75);
}

TEST(Validation, DrawsHaveNoSign) {
  ValidationSums sums;
  sums.add(sample(0.9, 0.5));
  EXPECT_EQ(sums.decisive, 0);
  EXPECT_EQ(sums.sign_accuracy(), 0);
}

TEST(Validation, AForecastOfOneHalfFavoursNobody) {
  ValidationSums sums;
  sums.add(sample(0.5, 1));
  sums.add(sample(0.5, 0));
  EXPECT_EQ(sums.sign_accuracy(), 0);
}

TEST(Validation, ForecastsFallIntoTenthsAndCertaintyIntoTheLastOne) {
  ValidationSums sums;
  sums.add(sample(0.0, 0));
  sums.add(sample(0.1, 1));
  sums.add(sample(0.19, 0));
  sums.add(sample(1.0, 1));
  EXPECT_EQ(sums.calibration[0].positions, 1);
  EXPECT_EQ(sums.calibration[1].positions, 2);
  EXPECT_DOUBLE_EQ(sums.calibration[1].result / 2, 0.5);
  EXPECT_EQ(sums.calibration[9].positions, 1);
}

TEST(Validation, CalibrationErrorIsTheMeanDistanceOfForecastAndResult) {
  ValidationSums sums;
  for (double result : {1.0, 1.0, 1.0, 0.0}) sums.add(sample(0.75, result));  // comes true
  EXPECT_NEAR(sums.calibration_error(), 0, 1e-12);
  for (int i = 0; i < 4; ++i) sums.add(sample(0.05, 0.5));  // off by 0.45
  EXPECT_NEAR(sums.calibration_error(), 0.225, 1e-12);
}

TEST(Validation, ErrorsAreSplitIntoPartsAndPhases) {
  ValidationSums sums;
  sums.add({0.5, 0.7, 1.0, 0.3, 1});
  sums.add({0.5, 0.5, 0.5, 0.1, 1});
  sums.add({0.9, 0.5, 1.0, 0.2, 4});
  EXPECT_NEAR(sums.all.mean(sums.all.loss), 0.2, 1e-12);
  EXPECT_NEAR(sums.all.mean(sums.all.score), (0.04 + 0.16) / 3, 1e-12);
  const ErrorSums& phase = sums.phases[1];
  EXPECT_EQ(phase.positions, 2);
  EXPECT_NEAR(phase.mean(phase.score), 0.02, 1e-12);
  EXPECT_NEAR(phase.mean(phase.result), 0.125, 1e-12);
  EXPECT_EQ(sums.phases[0].positions, 0);
}

TEST(Validation, ALineLeavesOutPhasesAndTenthsWithoutPositions) {
  ValidationSums sums;
  sums.add(sample(0.62, 1, 2, 0.25));
  MetricsLine line;
  line["epoch"] = 1;
  add_validation(line, sums, Variant::Chess);
  EXPECT_EQ(line["validation_loss"], 0.25);
  EXPECT_EQ(line["sign_accuracy"], 1.0);
  ASSERT_EQ(line["phases"].size(), 1U);
  EXPECT_EQ(line["phases"][0]["phase"], "18-23 men");
  ASSERT_EQ(line["calibration"].size(), 1U);
  EXPECT_EQ(line["calibration"][0]["from"], 0.6);
  const std::string report = validation_report(line);
  EXPECT_NE(report.find("18-23 men"), std::string::npos) << report;
  EXPECT_NE(report.find("60 to 70%"), std::string::npos) << report;
  EXPECT_NE(report.find("favours the winner in 100.0%"), std::string::npos) << report;
}

}  // namespace
}  // namespace farrier
