// What a match says before it is played, how it is shown while it is played, and how it ends for scripts.
#include "selfplay/match/match_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "selfplay/match/match_report.h"
#include "selfplay/match/match_status.h"
#include "selfplay/match/sprt_words.h"
#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

void expect_no_inf_or_nan(const std::string& text) {
  EXPECT_EQ(text.find("inf"), std::string::npos) << text;
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
}

// shared/stats/README.md: "Test length (Wald, penta normalized, alpha = beta = .05)".
TEST(MatchPlan, ExpectedLengthsAreWalds) {
  const struct {
    double width, at_hypothesis, at_midpoint;
  } rows[] = {{5, 12795, 20931}, {10, 3199, 5233}, {20, 800, 1308}, {50, 128, 209}};
  for (const auto& row : rows) {
    for (const double elo0 : {0.0, -row.width, 3.0}) {
      const TestLength length = expected_length({.elo0 = elo0, .elo1 = elo0 + row.width}, 0.3);
      EXPECT_EQ(std::lround(length.at_h0), row.at_hypothesis);
      EXPECT_EQ(std::lround(length.at_h1), row.at_hypothesis);
      EXPECT_EQ(std::lround(length.at_midpoint), row.at_midpoint);
    }
  }
  // A test that may err more often in one direction is shorter where that hypothesis holds.
  const TestLength skewed = expected_length({.alpha = 0.05, .beta = 0.2}, 0.3);
  EXPECT_LT(skewed.at_h1, expected_length({}, 0.3).at_h1);
  EXPECT_LT(skewed.at_h0, skewed.at_h1);
}

TEST(MatchPlan, LogisticHypothesesMeanTheSameTestAsTheNormalisedOnesTheyTranslateTo) {
  const double deviation = pair_deviation(Pentanomial{{34, 54, 63, 64, 75}});
  const Lead lead = lead_of(20, SprtModel::Logistic, deviation);
  EXPECT_NEAR(lead.elo.value(), 20, 1e-9);
  const double logistic =
      expected_length({.elo0 = 0, .elo1 = 20, .model = SprtModel::Logistic}, deviation).at_midpoint;
  const double normalised = expected_length({.elo0 = 0, .elo1 = lead.nelo}, deviation).at_midpoint;
  EXPECT_NEAR(logistic, normalised, 1e-6 * normalised);
  EXPECT_NEAR(lead_of(lead.nelo, SprtModel::Normalised, deviation).elo.value(), 20, 1e-9);
}

TEST(MatchPlan, TheSpreadComesFromThePairsAndFewPairsHaveOneToo) {
  // P7 of the reference rows has a variance of 0.113106; four pairs of prior among 290 hardly move it.
  EXPECT_NEAR(pair_deviation(Pentanomial{{34, 54, 63, 64, 75}}), std::sqrt(0.113106), 0.002);
  EXPECT_NEAR(pair_deviation(Pentanomial{}), std::sqrt(0.1), 1e-9);  // even, 20% drawn
  EXPECT_GT(pair_deviation(Pentanomial{{0, 0, 100, 0, 0}}), 0);
  EXPECT_LT(pair_deviation(Pentanomial{{0, 0, 100, 0, 0}}), 0.1);
}

TEST(MatchPlan, TheExpectedErrorIsThatOfAnEvenMatch) {
  const Pentanomial even{{50, 60, 80, 60, 50}};
  const EloEstimate estimate = estimate_elo(even.cells());
  const ExpectedError expected = expected_error(300, pair_deviation(even));
  EXPECT_NEAR(expected.elo.value(), estimate.elo_error.value(), 0.2);
  EXPECT_NEAR(expected.nelo, estimate.nelo_error.value(), 1e-9);
  EXPECT_NEAR(expected_error(290, 0.3).nelo, 28.275, 5e-4);  // shared/stats/README.md
  EXPECT_FALSE(expected_error(1, 0.5).elo);
}

class PlannedMatch : public MatchTest {
 protected:
  PlannedMatch() {
    settings_.variant = Variant::Crazyhouse;
    settings_.sprt = SprtSettings{.elo0 = 0, .elo1 = 20};
    settings_.workers = 1;
  }

  MatchSettings settings_;
  MatchSample sample_{.result = {}, .seconds = 8, .pairs_a_second = 2};
};

TEST_F(PlannedMatch, TellsPairsTimeAndWhatTheHypothesesMean) {
  sample_.result.pairs = Pentanomial{{34, 54, 63, 64, 75}};
  sample_.result.games = {.wins = 286, .draws = 100, .losses = 194};
  const std::string text = plan_text(settings_, sample_);
  for (const char* words :
       {"800 pairs, about 6 min 40 s", "1308 pairs, about 10 min 54 s", "at least elo1=20 (here +19.0 Elo",
        "--games 400 will probably end the match without a verdict: give --games 6856"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  settings_.games = 20000;
  EXPECT_EQ(plan_text(settings_, sample_).find("without a verdict"), std::string::npos);
  settings_.sprt.reset();
  EXPECT_NE(plan_text(settings_, sample_).find("20000 games take about 1 h 23 min and tell +- 4.6 Elo"),
            std::string::npos)
      << plan_text(settings_, sample_);
}

TEST_F(PlannedMatch, HasWordsWhereTheSampleTellsNothing) {
  const Pentanomial edges[] = {{{}}, {{0, 0, 0, 0, 1}}, {{0, 0, 50, 0, 0}}, {{40, 0, 0, 0, 0}}};
  for (const Pentanomial& pairs : edges) {
    for (const double elo1 : {1.0, 20.0, 1000.0}) {
      for (const SprtModel model : {SprtModel::Logistic, SprtModel::Normalised}) {
        sample_.result.pairs = pairs;
        sample_.pairs_a_second = pairs.count() == 0 ? 0 : 1;
        settings_.games = 2;
        settings_.sprt = SprtSettings{.elo0 = 0, .elo1 = elo1, .model = model};
        expect_no_inf_or_nan(plan_text(settings_, sample_));
        expect_no_inf_or_nan(plan_json(settings_, sample_).dump());
        settings_.sprt.reset();
        expect_no_inf_or_nan(plan_text(settings_, sample_));
      }
    }
  }
  sample_.pairs_a_second = 0;
  sample_.seconds = 120;
  EXPECT_NE(plan_text(settings_, sample_).find("no pair ended within 2 min 00 s"), std::string::npos);
}

TEST_F(PlannedMatch, PlaysItsFirstPairsAndLeavesNothingBehind) {
  settings_.a.hard_nodes = settings_.b.hard_nodes = 30;
  settings_.adjudication.max_plies = 40;
  settings_.games = 6;
  settings_.journal = folder_ / "match.jsonl";
  const MatchSample sample = play_sample(settings_);
  EXPECT_EQ(sample.result.pairs.count(), 3);
  EXPECT_NEAR(sample.pairs_a_second * sample.seconds, 3, 1e-6);
  EXPECT_FALSE(std::filesystem::exists(settings_.journal));
}

TEST(MatchReport, ABarShowsWhereTheRatioStands) {
  const SprtSettings sprt;
  EXPECT_EQ(llr_bar(0, sprt), "LLR 0.00 [-2.94 --------|-------- 2.94]");
  EXPECT_EQ(llr_bar(-0.001, sprt).substr(0, 9), "LLR 0.00 ");
  EXPECT_EQ(llr_bar(1.2, sprt), "LLR 1.20 [-2.94 --------|==>----- 2.94]");
  EXPECT_EQ(llr_bar(-1.2, sprt), "LLR -1.20 [-2.94 -----<==|-------- 2.94]");
  EXPECT_EQ(llr_bar(9, sprt), "LLR 9.00 [-2.94 --------|=======> 2.94]");
  EXPECT_EQ(llr_bar(-9, sprt), "LLR -9.00 [-2.94 <=======|-------- 2.94]");
}

TEST(MatchReport, ProgressTellsScoreEloRatioRateAndTimeLeft) {
  MatchResult result;
  result.pairs = Pentanomial{{3, 5, 12, 6, 4}};
  result.games = {.wins = 26, .draws = 11, .losses = 23};
  result.llr = 0.4;
  const SprtSettings sprt;
  const std::string text = progress_text(
      {.result = result, .pairs_to_play = 200, .pairs_this_session = 30, .seconds_this_session = 60}, sprt);
  EXPECT_TRUE(text.starts_with("60/400 games: +26 =11 -23 (52.5%), Elo +")) << text;
  EXPECT_NE(text.find("LLR 0.40 [-2.94 --------|>------- 2.94], 60 games/min, at most 5 min 40 s left"),
            std::string::npos)
      << text;
}

TEST(MatchReport, NeitherReportNorProgressHoldsInfOrNan) {
  MatchSettings settings;
  settings.sprt = SprtSettings{};
  for (int code = 0; code < 243; ++code) {
    MatchResult result;
    for (int cell = 0, rest = code; cell < 5; ++cell, rest /= 3) result.pairs.pairs[cell] = rest % 3;
    if (code > 0) result.llr = log_likelihood_ratio(result.pairs.cells(), *settings.sprt);
    const MatchProgress progress{
        .result = result, .pairs_to_play = 9, .pairs_this_session = 1, .seconds_this_session = 1e-3};
    expect_no_inf_or_nan(progress_text(progress, settings.sprt));
    for (const MatchEnd end :
         {MatchEnd::AllPlayed, MatchEnd::AcceptedH0, MatchEnd::AcceptedH1, MatchEnd::Interrupted}) {
      result.end = end;
      expect_no_inf_or_nan(report_text(settings, result));
      expect_no_inf_or_nan(report_json(settings, result).dump());
    }
  }
}

TEST(MatchReport, TheHypothesesAreToldInWords) {
  MatchSettings settings;
  settings.sprt = SprtSettings{};
  MatchResult result;
  result.pairs = Pentanomial{{34, 54, 63, 64, 75}};
  result.llr = 2.483695;
  EXPECT_NE(
      report_text(settings, result)
          .find(
              "H0: A's lead is at most elo0=0 normalised Elo (here +0.0 Elo, a score of 50.0%). H1: it is at "
              "least elo1=10 (here +9.5 Elo, a score of 51.4%). Chance of error: 5% if H0 holds, 5% if H1 "
              "does."),
      std::string::npos)
      << report_text(settings, result);
}

TEST(MatchStatus, TellsAcceptedRejectedFaultyAndUndecidedApart) {
  MatchSettings tested, fixed;
  tested.sprt = SprtSettings{};
  const auto status = [](const MatchSettings& settings, MatchEnd end, bool fault = false) {
    MatchResult result;
    result.end = end;
    if (fault) result.faults[0][static_cast<std::size_t>(Termination::Crash)] = 1;
    return status_of(settings, result);
  };
  EXPECT_EQ(status(tested, MatchEnd::AcceptedH1), MatchStatus::Accepted);
  EXPECT_EQ(status(fixed, MatchEnd::AllPlayed), MatchStatus::Accepted);
  EXPECT_EQ(status(tested, MatchEnd::AcceptedH0), MatchStatus::Rejected);
  EXPECT_EQ(status(tested, MatchEnd::AllPlayed), MatchStatus::Undecided);
  EXPECT_EQ(status(tested, MatchEnd::Interrupted), MatchStatus::Undecided);
  EXPECT_EQ(status(fixed, MatchEnd::Interrupted), MatchStatus::Undecided);
  EXPECT_EQ(status(tested, MatchEnd::Faulty), MatchStatus::Faulty);
  EXPECT_EQ(status(tested, MatchEnd::AcceptedH1, true), MatchStatus::Faulty);
}

}  // namespace
}  // namespace farrier
