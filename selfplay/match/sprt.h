// The sequential test: play until the counts tell "at least elo1" from "at most elo0", with bounded error
// rates.
#pragma once

#include <span>
#include <string_view>

namespace farrier {

/// What the hypotheses fix: the expected score in Elo, or the score over its deviation (normalised Elo),
/// whose test lengths don't depend on how drawish a variant is.
enum class SprtModel { Logistic, Normalised };
std::string_view sprt_model_name(SprtModel model);

struct SprtSettings {
  double elo0 = 0;
  double elo1 = 10;
  double alpha = 0.05;  // chance to accept H1 though H0 holds
  double beta = 0.05;   // chance to accept H0 though H1 holds
  SprtModel model = SprtModel::Normalised;
  friend bool operator==(const SprtSettings&, const SprtSettings&) = default;
};

/// One sentence on what is wrong with the settings, empty if nothing is.
std::string_view sprt_settings_fault(const SprtSettings& settings);

enum class SprtVerdict { Continue, AcceptH0, AcceptH1 };

/// Where the log-likelihood ratio ends the test: below `lower` H0 is accepted, above `upper` H1.
struct SprtBounds {
  double lower;
  double upper;
};
SprtBounds sprt_bounds(const SprtSettings& settings);

/// The generalised log-likelihood ratio of elo1 against elo0: each hypothesis speaks through the most likely
/// distribution that obeys it. `counts` as in elo.h; an empty cell counts as 0.001.
double log_likelihood_ratio(std::span<const double> counts, const SprtSettings& settings);

SprtVerdict verdict_of_llr(double llr, const SprtSettings& settings);
/// The verdict on counts; Continue where there are none.
SprtVerdict sprt_verdict(std::span<const double> counts, const SprtSettings& settings);

}  // namespace farrier
