// Joint ratings of players who met in many matches: the strengths under which all scores together are most likely.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "selfplay/match/pentanomial.h"

namespace farrier {

/// All pairs between two players, from the side of `a`.
struct RatedPairing {
  std::size_t a = 0, b = 0;
  Pentanomial pairs;
};

struct Rating {
  double elo = 0;
  double elo_error = 0;    // 95%, of the distance to the group's anchor; 0 for the anchor itself
  std::size_t group = 0;   // of players who met, each other or by way of others; groups can't be compared
  bool is_bounded = true;  // false: only won, or only lost, against all who tie him to the anchor (see Sweep)
};

/// All games between players of whom one side is otherwise never shown to have scored against the other: no finite
/// difference is most likely. One drawn pair has been added to make it finite.
struct Sweep {
  std::size_t winner = 0, loser = 0;
  Pentanomial pairs;  // from the winner's side
};

struct RatingFit {
  std::vector<Rating> ratings;       // as many as players
  std::vector<std::size_t> anchors;  // of each group
  std::vector<Sweep> sweeps;
  Eigen::MatrixXd covariance;  // of the ratings, in Elo squared; anchors have none

  /// The chance that `x` is stronger than `y`, who is in his group.
  double superiority(std::size_t x, std::size_t y) const;
};

/// Rates `players` players. `anchor_order` holds all of them: a group's anchor is the first of it. The first
/// anchor's rating is `anchor_elo`, that of any other is 0. Pairings have at least one pair and two players.
RatingFit fit_ratings(std::size_t players, const std::vector<RatedPairing>& pairings,
                      const std::vector<std::size_t>& anchor_order, double anchor_elo);

}  // namespace farrier
