// How many centipawns make a logit of 1: fitted to each data set, since evaluations and variants differ.
#pragma once

#include <cstdint>
#include <vector>

namespace farrier {

/// Results of games gathered by the score that a search gave, both from the side to move.
class ScoreHistogram {
 public:
  ScoreHistogram() : bins_(2 * kLimit + 1) {}

  /// `result_stm` is +1, 0 or -1.
  void add(int score_cp_stm, int result_stm);

  /// The scale that makes sigmoid(score / scale) the likeliest forecast of the results (logistic regression
  /// without an intercept), rounded and kept within 50 and 2000.
  int fit_scale_cp() const;
  /// Share of decisive results among scores beyond 300 cp that agree with the score's sign; 0.5 is chance. A
  /// data set whose labels have the wrong viewpoint shows here.
  double coherence() const;
  std::int64_t positions() const;

 private:
  static constexpr int kLimit = 32767;
  struct Bin {
    std::int64_t positions = 0;
    std::int64_t half_points = 0;  // 2 a win, 1 a draw
    std::int64_t decisive = 0;
    std::int64_t wins = 0;
  };
  std::vector<Bin> bins_;  // by score + kLimit
};

/// The expected result of a score, 0 to 1.
double expected_result(double score_cp, double scale_cp);

}  // namespace farrier
