#include "selfplay/match/ratings.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "selfplay/match/elo.h"

namespace farrier {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Elo of one unit of the logistic scale, on which strengths are fitted.
constexpr double kEloOfLogit = 400.0 / std::numbers::ln10;
/// So many pairs of independent decided games are mixed into each pairing's variance: equal pairs claim no certainty.
constexpr double kMixedInPairs = 2;

double share_of(double logit) { return 1 / (1 + std::exp(-logit)); }

/// What a pairing tells the fit.
struct Sample {
  std::size_t a = 0, b = 0;
  double pairs = 0;
  double score = 0;        // mean of a pair, 0 to 1
  double mean_square = 0;  // of a pair's score
};

Sample sample_of(const RatedPairing& pairing) {
  Sample sample{.a = pairing.a, .b = pairing.b};
  const std::array<double, 5> cells = pairing.pairs.cells();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const double score = static_cast<double>(i) / 4;
    sample.pairs += cells[i];
    sample.score += cells[i] * score;
    sample.mean_square += cells[i] * score * score;
  }
  sample.score /= sample.pairs;
  sample.mean_square /= sample.pairs;
  return sample;
}

void add_a_drawn_pair(Sample& s) {
  s.score = (s.score * s.pairs + 0.5) / (s.pairs + 1);
  s.mean_square = (s.mean_square * s.pairs + 0.25) / (s.pairs + 1);
  s.pairs += 1;
}

/// `reach[i][j]`: whether a chain of results leads from i to j in which each scored against the next. Ratings are
/// finite between players who reach each other (Ford 1957).
std::vector<std::vector<bool>> reach_of(std::size_t players, const std::vector<Sample>& samples) {
  std::vector<std::vector<std::size_t>> scored_against(players);
  for (const Sample& s : samples) {
    if (s.score > 0) scored_against[s.a].push_back(s.b);
    if (s.score < 1) scored_against[s.b].push_back(s.a);
  }
  std::vector<std::vector<bool>> reach(players, std::vector<bool>(players));
  for (std::size_t from = 0; from < players; ++from) {
    std::vector<std::size_t> open{from};
    reach[from][from] = true;
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const std::size_t next : scored_against[at]) {
        if (reach[from][next]) continue;
        reach[from][next] = true;
        open.push_back(next);
      }
    }
  }
  return reach;
}

/// Groups of players who met, each other or by way of others, numbered by their anchors' order.
std::vector<std::size_t> groups_of(std::size_t players, const std::vector<Sample>& samples,
                                   const std::vector<std::size_t>& anchor_order,
                                   std::vector<std::size_t>& anchors) {
  std::vector<std::size_t> leader(players);
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&leader](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (const Sample& s : samples) leader[find(s.a)] = find(s.b);
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> number(players, kNone), group(players);
  for (const std::size_t player : anchor_order) {
    std::size_t& known = number[find(player)];
    if (known == kNone) {
      known = anchors.size();
      anchors.push_back(player);
    }
    group[player] = known;
  }
  return group;
}

/// The Bradley-Terry model with a pair's score as its outcome: the fitted strengths give each player the points that
/// he made, draws halves of them. It is a quasi-likelihood, since a pair has five results and not two: right for the
/// mean however often they draw, wrong for the spread, which is therefore taken from the pairs themselves (see
/// covariance).
class Fit {
 public:
  /// `row[i]`: the place of player i among the unknowns; -1 for an anchor.
  Fit(const std::vector<Sample>& samples, const std::vector<int>& row, int unknowns)
      : samples_(samples), row_(row), strengths_(VectorXd::Zero(unknowns)) {}

  /// Newton's method. The likelihood is concave; steps are halved where they overshoot.
  void solve() {
    for (int round = 0; round < 200; ++round) {
      const VectorXd step = information().ldlt().solve(gradient());
      const double before = likelihood();
      const VectorXd start = strengths_;
      double share = 1;
      do {
        strengths_ = start + share * step;
        share /= 2;
      } while (likelihood() < before - 1e-12 * std::abs(before) && share > 1e-9);
      if (step.size() == 0 || step.lpNorm<Eigen::Infinity>() < 1e-11) return;
    }
  }

  double strength(std::size_t player) const { return row_[player] < 0 ? 0 : strengths_[row_[player]]; }

  /// The sandwich: information^-1 * (spread of the pairs' contributions to the gradient) * information^-1.
  MatrixXd covariance() const {
    MatrixXd spread = MatrixXd::Zero(strengths_.size(), strengths_.size());
    for (const Sample& s : samples_) {
      const double p = expected(s);
      const double observed = s.pairs * (s.mean_square - 2 * p * s.score + p * p);
      const double mixed_in = kMixedInPairs * p * (1 - p) / 2;
      add_outer(spread, s, s.pairs * (observed + mixed_in) / (s.pairs + kMixedInPairs));
    }
    const auto solver = information().ldlt();
    const MatrixXd half = solver.solve(spread);
    return solver.solve(half.transpose());
  }

 private:
  double expected(const Sample& s) const { return share_of(strength(s.a) - strength(s.b)); }

  double likelihood() const {
    double sum = 0;
    for (const Sample& s : samples_) {
      const double lead = strength(s.a) - strength(s.b);
      sum -= s.pairs * (s.score * std::log1p(std::exp(-lead)) + (1 - s.score) * std::log1p(std::exp(lead)));
    }
    return sum;
  }

  VectorXd gradient() const {
    VectorXd g = VectorXd::Zero(strengths_.size());
    for (const Sample& s : samples_) {
      const double surplus = s.pairs * (s.score - expected(s));
      if (row_[s.a] >= 0) g[row_[s.a]] += surplus;
      if (row_[s.b] >= 0) g[row_[s.b]] -= surplus;
    }
    return g;
  }

  MatrixXd information() const {
    MatrixXd m = MatrixXd::Zero(strengths_.size(), strengths_.size());
    for (const Sample& s : samples_) {
      const double p = expected(s);
      add_outer(m, s, s.pairs * p * (1 - p));
    }
    return m;
  }

  /// Adds `weight` times the outer product of (a's unit vector - b's) with itself.
  void add_outer(MatrixXd& m, const Sample& s, double weight) const {
    const int a = row_[s.a], b = row_[s.b];
    if (a >= 0) m(a, a) += weight;
    if (b >= 0) m(b, b) += weight;
    if (a < 0 || b < 0) return;
    m(a, b) -= weight;
    m(b, a) -= weight;
  }

  const std::vector<Sample>& samples_;
  const std::vector<int>& row_;
  VectorXd strengths_;
};

Sweep sweep_of(const RatedPairing& pairing, bool a_won) {
  Sweep sweep{.winner = a_won ? pairing.a : pairing.b,
              .loser = a_won ? pairing.b : pairing.a,
              .pairs = pairing.pairs};
  if (!a_won) std::reverse(sweep.pairs.pairs.begin(), sweep.pairs.pairs.end());
  return sweep;
}

}  // namespace

double RatingFit::superiority(std::size_t x, std::size_t y) const {
  const auto i = static_cast<Eigen::Index>(x), j = static_cast<Eigen::Index>(y);
  const double variance = covariance(i, i) + covariance(j, j) - 2 * covariance(i, j);
  const double lead = ratings[x].elo - ratings[y].elo;
  if (variance <= 0) return lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
  return 0.5 * std::erfc(-lead / std::sqrt(2 * variance));
}

RatingFit fit_ratings(std::size_t players, const std::vector<RatedPairing>& pairings,
                      const std::vector<std::size_t>& anchor_order, double anchor_elo) {
  assert(anchor_order.size() == players);
  std::vector<Sample> samples;
  for (const RatedPairing& pairing : pairings) samples.push_back(sample_of(pairing));
  RatingFit fit;
  fit.ratings.resize(players);
  const std::vector<std::size_t> group = groups_of(players, samples, anchor_order, fit.anchors);
  const auto reach = reach_of(players, samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto [a, b] = std::pair{samples[i].a, samples[i].b};
    if (reach[a][b] && reach[b][a]) continue;
    fit.sweeps.push_back(sweep_of(pairings[i], reach[a][b]));
    add_a_drawn_pair(samples[i]);
  }

  std::vector<int> row(players, -1);
  int unknowns = 0;
  for (std::size_t i = 0; i < players; ++i)
    if (fit.anchors[group[i]] != i) row[i] = unknowns++;
  Fit model(samples, row, unknowns);
  model.solve();
  const MatrixXd covariance = model.covariance() * (kEloOfLogit * kEloOfLogit);

  const auto size = static_cast<Eigen::Index>(players);
  fit.covariance = MatrixXd::Zero(size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j) {
      const int from = row[static_cast<std::size_t>(i)], to = row[static_cast<std::size_t>(j)];
      if (from >= 0 && to >= 0) fit.covariance(i, j) = covariance(from, to);
    }
  for (std::size_t i = 0; i < players; ++i) {
    const std::size_t anchor = fit.anchors[group[i]];
    const auto at = static_cast<Eigen::Index>(i);
    fit.ratings[i] = {.elo = kEloOfLogit * model.strength(i) + (group[i] == 0 ? anchor_elo : 0),
                      .elo_error = kZ95 * std::sqrt(std::max(0.0, fit.covariance(at, at))),
                      .group = group[i],
                      .is_bounded = reach[i][anchor] && reach[anchor][i]};
  }
  return fit;
}

}  // namespace farrier
