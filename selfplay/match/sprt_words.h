// A sequential test in words: what its hypotheses mean for the two players, how long it lasts, where it stands.
#pragma once

#include <optional>
#include <string>

#include "selfplay/match/pentanomial.h"
#include "selfplay/match/sprt.h"

namespace farrier {

/// By how much a pair's score, on a scale from 0 to 1, deviates from its mean. A few pairs of even players who
/// seldom draw are mixed in, so that few pairs and equal ones tell a deviation too.
double pair_deviation(const Pentanomial& pairs);

/// A lead of one player over the other, in every way to tell it. A lead in normalised Elo may lie beyond any
/// score; then there is neither score nor Elo.
struct Lead {
  double nelo = 0;
  std::optional<double> score;
  std::optional<double> elo;
};
/// What elo0 or elo1 says between players whose pairs deviate by `deviation`.
Lead lead_of(double elo, SprtModel model, double deviation);

/// How many pairs Wald expects a test to take, the bound's overshoot left out: most where the truth lies midway.
struct TestLength {
  double at_h0 = 0;
  double at_midpoint = 0;
  double at_h1 = 0;
};
TestLength expected_length(const SprtSettings& sprt, double deviation);

/// "H0: A's lead is at most elo0=0 normalised Elo (here +0.0 Elo, a score of 50.0%). H1: ..."
std::string hypotheses_text(const SprtSettings& sprt, double deviation);

/// "LLR 1.27 [-2.94 ------|==>--- 2.94]": zero is the bar.
std::string llr_bar(double llr, const SprtSettings& sprt);

}  // namespace farrier
