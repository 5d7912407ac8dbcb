// Elo, its error and the log-likelihood ratio against the reference rows of other programs
// (tests/data/README.md), and what is said where no figure exists.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "selfplay/match/elo.h"
#include "selfplay/match/pentanomial.h"
#include "selfplay/match/sprt.h"

namespace farrier {
namespace {

/// One line of stats_cases.tsv. An absent figure is an empty string; "nan" and "inf" are as that program
/// wrote.
struct ReferenceRow {
  std::map<std::string, std::string> fields;
  std::vector<double> counts;  // lowest score first, three or five cells

  std::string name() const { return fields.at("id") + " " + fields.at("implementation"); }
  bool is_from(const std::string& program) const { return fields.at("implementation").starts_with(program); }
  bool has(const std::string& column) const {
    const std::string& text = fields.at(column);
    return !text.empty() && std::isfinite(std::stod(text));
  }
  double number(const std::string& column) const { return std::stod(fields.at(column)); }
  bool has_model() const { return fields.at("model") == "normalized" || fields.at("model") == "logistic"; }
  SprtSettings sprt() const {
    return {.elo0 = number("elo0"),
            .elo1 = number("elo1"),
            .alpha = number("alpha"),
            .beta = number("beta"),
            .model = fields.at("model") == "logistic" ? SprtModel::Logistic : SprtModel::Normalised};
  }
};

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(line);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<double> read_counts(const std::string& text, const std::string& order) {
  std::vector<double> counts;
  for (const std::string& part : split(text, ' ')) counts.push_back(std::stod(part));
  if (order == "W D L") return {counts.at(2), counts.at(1), counts.at(0)};
  if (order == "LL LD WL DD WD WW")
    return {counts.at(0), counts.at(1), counts.at(2) + counts.at(3), counts.at(4), counts.at(5)};
  return counts;
}

std::vector<ReferenceRow> read_rows() {
  std::ifstream file(FARRIER_TEST_DATA "/stats_cases.tsv");
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> columns = split(line, '\t');
  std::vector<ReferenceRow> rows;
  while (std::getline(file, line)) {
    ReferenceRow row;
    const std::vector<std::string> cells = split(line, '\t');
    for (std::size_t i = 0; i < columns.size(); ++i)
      row.fields[columns[i]] = i < cells.size() ? cells[i] : "";
    row.counts = read_counts(row.fields.at("counts"), row.fields.at("order"));
    rows.push_back(row);
  }
  return rows;
}

/// fishtest puts 0.001 in empty cells before it takes any figure; Farrier does so for the LLR alone.
std::vector<double> filled_as_fishtest_does(std::vector<double> counts) {
  for (double& count : counts)
    if (count == 0) count = 0.001;
  return counts;
}

/// fishtest clamps scores to [0.001, 0.999], where Farrier says that there is no figure.
bool interval_reaches_fishtest_clamp(const EloEstimate& e) {
  return !e.elo_low || !e.elo_high || *e.elo_low < elo_of_score(0.001) || *e.elo_high > elo_of_score(0.999);
}

TEST(MatchStatistics, LogLikelihoodRatiosAgreeWithAllReferenceRows) {
  int compared = 0;
  for (const ReferenceRow& row : read_rows()) {
    if (!row.has_model() || !row.has("llr")) continue;
    SCOPED_TRACE(row.name());
    const double llr = log_likelihood_ratio(row.counts, row.sprt());
    // The logistic solver of fastchess stops early.
    const bool exact = row.is_from("fishtest") || row.fields.at("model") == "normalized";
    EXPECT_NEAR(llr, row.number("llr"), exact ? 1e-5 : 1e-3);
    ++compared;
  }
  EXPECT_EQ(compared,
            41);  // of 48: five rows of cutechess and one of fastchess ask another model, one is empty
}

TEST(MatchStatistics, VerdictsAgreeWithTheReferenceStates) {
  int compared = 0;
  for (const ReferenceRow& row : read_rows()) {
    if (row.fields.at("state").empty()) continue;
    SCOPED_TRACE(row.name());
    const SprtVerdict verdict = sprt_verdict(row.counts, row.sprt());
    const std::string state = row.fields.at("state");
    EXPECT_EQ(verdict, state == "accepted"   ? SprtVerdict::AcceptH1
                       : state == "rejected" ? SprtVerdict::AcceptH0
                                             : SprtVerdict::Continue);
    ++compared;
  }
  EXPECT_EQ(compared, 20);
}

TEST(MatchStatistics, ScoreEloAndErrorAgreeWithAllReferenceRows) {
  int rows = 0, errors = 0;
  for (const ReferenceRow& row : read_rows()) {
    if (row.fields.at("elo").empty()) continue;  // one program had no answer
    SCOPED_TRACE(row.name());
    ++rows;
    const bool fishtest = row.is_from("fishtest");
    const EloEstimate e = estimate_elo(fishtest ? filled_as_fishtest_does(row.counts) : row.counts);
    if (row.has("score")) {
      EXPECT_NEAR(e.score, row.number("score"), 6e-9);
    }
    if (fishtest && interval_reaches_fishtest_clamp(e)) continue;
    EXPECT_EQ(e.elo.has_value(), row.has("elo"));
    if (e.elo) {
      EXPECT_NEAR(*e.elo, row.number("elo"), 1e-6);
    }
    // cutechess takes its error from W and L alone; fastchess tells an error of 0 for equal results.
    if (row.is_from("cutechess") || row.number("elo_err") == 0) continue;
    EXPECT_EQ(e.elo_error.has_value(), row.has("elo_err"));
    if (e.elo_error) {
      EXPECT_NEAR(*e.elo_error, row.number("elo_err"), 1e-6);
      ++errors;
    }
  }
  EXPECT_EQ(rows, 47);
  EXPECT_GE(errors, 30);
}

TEST(MatchStatistics, NormalisedEloAndSuperiorityAgreeWithAllReferenceRows) {
  int figures = 0;
  for (const ReferenceRow& row : read_rows()) {
    SCOPED_TRACE(row.name());
    const bool fishtest = row.is_from("fishtest");
    const EloEstimate e = estimate_elo(fishtest ? filled_as_fishtest_does(row.counts) : row.counts);
    if (row.has("nelo")) {
      ASSERT_TRUE(e.nelo.has_value());
      EXPECT_NEAR(*e.nelo, row.number("nelo"), 1e-6 * std::max(1.0, std::abs(*e.nelo)));
      ++figures;
    }
    if (row.has("nelo_err")) {
      EXPECT_NEAR(e.nelo_error.value_or(NAN), row.number("nelo_err"), 1e-6);
    }
    if (row.has("los") && !row.is_from("cutechess")) {
      ASSERT_TRUE(e.los.has_value());
      EXPECT_NEAR(100 * *e.los, row.number("los"), fishtest ? 1e-6 : 0.00501);
    }
  }
  EXPECT_GE(figures, 36);
}

TEST(MatchStatistics, PairsCountByTheirPoints) {
  Pentanomial pairs;
  pairs.add(-1, -1);
  pairs.add(0, -1);
  pairs.add(1, -1);
  pairs.add(0, 0);
  pairs.add(1, 0);
  pairs.add(1, 1);
  EXPECT_EQ(pairs, (Pentanomial{{1, 1, 2, 1, 1}}));
  EXPECT_EQ(pairs.count(), 6);

  GameCounts games;
  for (int result : {1, 1, 0, -1}) games.add(result);
  EXPECT_EQ(games, (GameCounts{.wins = 2, .draws = 1, .losses = 1}));
  EXPECT_EQ(games.cells(), (std::array<double, 3>{1, 1, 2}));
}

TEST(MatchStatistics, ACleanSweepHasABoundInsteadOfAnElo) {
  const EloEstimate won = estimate_elo(Pentanomial{{0, 0, 0, 0, 40}}.cells());
  EXPECT_FALSE(won.elo || won.elo_error || won.nelo || won.elo_high);
  // A player with this score per pair sweeps 40 pairs with 2.5% at most.
  EXPECT_NEAR(std::pow(score_of_elo(won.elo_low.value()), 40), 0.025, 1e-9);
  EXPECT_EQ(elo_text(won), "won every game: no finite Elo, at least +406 (97.5%)");

  const EloEstimate lost = estimate_elo(Pentanomial{{40, 0, 0, 0, 0}}.cells());
  EXPECT_NEAR(lost.elo_high.value(), -won.elo_low.value(), 1e-9);
  EXPECT_EQ(elo_text(lost), "lost every game: no finite Elo, at most -406 (97.5%)");
}

TEST(MatchStatistics, EqualResultsTellNoError) {
  const EloEstimate drawn = estimate_elo(Pentanomial{{0, 0, 50, 0, 0}}.cells());
  EXPECT_EQ(drawn.elo, 0.0);
  EXPECT_FALSE(drawn.elo_error || drawn.nelo || drawn.los);
  EXPECT_EQ(drawn.middle_ratio, 1.0);
  EXPECT_EQ(elo_text(drawn), "Elo +0.0, every result the same: no error can be told");
  EXPECT_EQ(elo_text(estimate_elo(Pentanomial{{0, 0, 0, 1, 0}}.cells())),
            "Elo +190.8, every result the same: no error can be told");
}

TEST(MatchStatistics, AnIntervalThatLeavesTheScaleKeepsItsFiniteEnd) {
  const EloEstimate e = estimate_elo(Pentanomial{{2, 1, 0, 0, 0}}.cells());
  EXPECT_FALSE(e.elo_error || e.elo_low);
  EXPECT_NEAR(e.elo_high.value(), elo_of_score(e.score + kZ95 * std::sqrt(1.0 / 72 / 3)), 1e-9);
  EXPECT_TRUE(elo_text(e).starts_with("Elo -416.6 (95%: below ")) << elo_text(e);
}

TEST(MatchStatistics, NoTextEverHoldsInfOrNan) {
  for (int code = 1; code < 243; ++code) {  // 0 to 2 in each of five cells
    Pentanomial pairs;
    for (int cell = 0, rest = code; cell < 5; ++cell, rest /= 3) pairs.pairs[cell] = rest % 3;
    const std::string text = elo_text(estimate_elo(pairs.cells()));
    EXPECT_EQ(text.find("inf"), std::string::npos) << text;
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    const SprtSettings wide{.elo0 = -1000, .elo1 = 1000};
    EXPECT_TRUE(std::isfinite(log_likelihood_ratio(pairs.cells(), wide))) << code;
    EXPECT_TRUE(std::isfinite(log_likelihood_ratio(pairs.cells(), {}))) << code;
  }
}

// With hypotheses this far apart the plain iteration from the uniform distribution has no tangent to stand on.
TEST(MatchStatistics, FarHypothesesAreToldApartByOneSidedCounts) {
  double even_before = 0, swept_before = 0;
  for (const double elo1 : {10.0, 100.0, 200.0, 300.0, 500.0, 1000.0}) {
    const SprtSettings sprt{.elo0 = 0, .elo1 = elo1};
    const double even = log_likelihood_ratio(Pentanomial{{0, 0, 1000, 0, 0}}.cells(), sprt);
    const double swept = log_likelihood_ratio(Pentanomial{{0, 0, 0, 0, 1000}}.cells(), sprt);
    EXPECT_LT(even, even_before - 1) << elo1;
    EXPECT_GT(swept, swept_before + 1) << elo1;
    even_before = even;
    swept_before = swept;
  }
}

TEST(MatchStatistics, SprtBoundsAreWaldsAndSettingsAreProved) {
  EXPECT_NEAR(sprt_bounds({}).lower, -2.944439, 1e-6);
  EXPECT_NEAR(sprt_bounds({}).upper, 2.944439, 1e-6);
  EXPECT_NEAR(sprt_bounds({.alpha = 0.05, .beta = 0.10}).lower, -2.251292, 1e-6);
  EXPECT_NEAR(sprt_bounds({.alpha = 0.05, .beta = 0.10}).upper, 2.890372, 1e-6);
  EXPECT_EQ(sprt_settings_fault({}), "");
  EXPECT_NE(sprt_settings_fault({.elo0 = 10, .elo1 = 10}), "");
  EXPECT_NE(sprt_settings_fault({.elo0 = 0, .elo1 = 2000}), "");
  EXPECT_NE(sprt_settings_fault({.alpha = 0}), "");
  EXPECT_NE(sprt_settings_fault({.elo0 = NAN}), "");
}

}  // namespace
}  // namespace farrier
