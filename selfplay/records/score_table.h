// Scores against results, by size of score: what shows labels of the wrong viewpoint, and a tired or a wild evaluation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace farrier {

/// All from the side to move.
class ScoreTable {
 public:
  /// Bins of |score| begin at these; the last one is mates.
  static constexpr std::array kFrom{0, 30, 100, 300, 1000, 31872};
  static constexpr std::size_t kBins = 2 * kFrom.size() - 1;  // lost first; the middle one is level

  struct Bin {
    std::uint64_t wins = 0, draws = 0, losses = 0;
    std::uint64_t positions() const { return wins + draws + losses; }
  };

  void add(int score_cp_stm, int result_stm);
  void add(const ScoreTable& other);

  const std::array<Bin, kBins>& bins() const { return bins_; }
  static std::string bin_name(std::size_t bin);
  std::uint64_t positions() const;
  /// Of the scores beyond kClearScoreCp in decided games, how many there are and which share points at the winner.
  /// Far below one half, the labels have the wrong viewpoint.
  static constexpr int kClearScoreCp = 100;
  std::uint64_t clear_scores() const;
  double coherence() const;

 private:
  std::array<Bin, kBins> bins_{};
};

/// The table as several lines, each indented.
std::string score_table_text(const ScoreTable& table);

}  // namespace farrier
