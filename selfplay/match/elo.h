// From counts to Elo with its error. All functions take counts of equally spaced scores, lowest first: three
// cells for games (loss, draw, win), five for pairs (see Pentanomial).
#pragma once

#include <optional>
#include <span>
#include <string>

namespace farrier {

/// Two-sided 95% of the normal distribution.
constexpr double kZ95 = 1.959963984540054;
/// Normalised Elo of one standard deviation of a game's score: 800 / ln 10.
constexpr double kNormalisedElo = 347.435585522601;

/// The expected score of a player who is `elo` stronger.
double score_of_elo(double elo);
/// The inverse; `score` strictly between 0 and 1.
double elo_of_score(double score);

/// What counts say about strength. Whatever has no finite value is absent: a clean sweep has no Elo, equal
/// pairs tell no error.
struct EloEstimate {
  double count = 0;    // games or pairs
  double score = 0.5;  // mean score, 0 to 1
  std::optional<double> elo;
  std::optional<double> elo_error;  // half the width of the 95% interval mapped to Elo
  /// Ends of the 95% interval; one end can exist without the other. After a clean sweep of n pairs the inner
  /// end is the score p with p^n = 2.5%: no weaker player would sweep more often, however his draws fall.
  std::optional<double> elo_low;
  std::optional<double> elo_high;
  std::optional<double> nelo;  // normalised: score over the deviation of a game's score
  std::optional<double> nelo_error;
  std::optional<double> los;  // likelihood of superiority, 0 to 1
  double middle_ratio = 0;    // share of the middle cell: drawn games, or pairs won by nobody
};

/// `counts` has three or five cells and at least one count.
EloEstimate estimate_elo(std::span<const double> counts);

/// "Elo +55.6 +- 27.7 (95%), nElo +57.9 +- 28.3, LOS 100.0%", or in words why there is no figure.
std::string elo_text(const EloEstimate& estimate);

}  // namespace farrier
