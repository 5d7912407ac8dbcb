// What a match counts: results of single games, and results of pairs of games from one opening.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

namespace farrier {

/// Games seen from player A, who gave the match its question.
struct GameCounts {
  std::int64_t wins = 0;
  std::int64_t draws = 0;
  std::int64_t losses = 0;

  /// `result_a`: +1, 0 or -1.
  void add(int result_a) { ++(result_a > 0 ? wins : result_a < 0 ? losses : draws); }
  std::int64_t games() const { return wins + draws + losses; }
  /// Lowest score first, as the statistics want them.
  std::array<double, 3> cells() const {
    return {static_cast<double>(losses), static_cast<double>(draws), static_cast<double>(wins)};
  }
  friend bool operator==(const GameCounts&, const GameCounts&) = default;
};

/// Pairs by the points that A scored in their two games: 0 (LL), 1/2 (LD), 1 (WL or DD), 3/2 (WD), 2 (WW).
/// The games of a pair share their opening, so they are not independent of each other; pairs are, and an
/// error taken from pairs is both honest and smaller than one taken from games.
struct Pentanomial {
  std::array<std::int64_t, 5> pairs{};

  /// Adds a pair by its two results, each +1, 0 or -1 from A's side.
  void add(int first_result_a, int second_result_a) {
    const int points = first_result_a + second_result_a + 2;
    assert(points >= 0 && points <= 4);
    ++pairs[points];
  }
  std::int64_t count() const { return pairs[0] + pairs[1] + pairs[2] + pairs[3] + pairs[4]; }
  std::array<double, 5> cells() const {
    std::array<double, 5> cells{};
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<double>(pairs[i]);
    return cells;
  }
  friend bool operator==(const Pentanomial&, const Pentanomial&) = default;
};

}  // namespace farrier
