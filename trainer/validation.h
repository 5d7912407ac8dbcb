// What the validation positions say of a net after an epoch: how far off it was, in which phase of the game, and whether
// its forecasts come true. Errors of the two parts are always squared, so that trainings under different losses can be
// compared by them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/variants/variant.h"

namespace farrier {

constexpr int kForecastBins = 10;
constexpr int kPhases = 5;

/// The phase of the game from 0 (opening) to kPhases - 1. Where captured men leave the game, it is told by the men on
/// the board, kings included; in crazyhouse, where their number in all never falls, by the men in both hands.
class Phases {
 public:
  explicit Phases(Variant variant);

  int of(int men_on_board, int men_in_hand) const;
  /// "24-28 men", "3-4 in hand".
  std::string name(int phase) const;

 private:
  bool by_hands_;
};

/// A validation position once the net has spoken; all from the side to move, as expected points from 0 to 1.
struct ValidationSample {
  double forecast = 0.5;
  double score_part = 0.5;  // what the recorded score expects
  double result = 0.5;      // what the game brought
  double loss = 0;          // of the forecast against the target, as the training counts it
  int phase = 0;
};

/// Errors summed over positions.
struct ErrorSums {
  std::int64_t positions = 0;
  double loss = 0;
  double score = 0;   // squared distance to the score part
  double result = 0;  // squared distance to the result

  void add(const ValidationSample& sample);
  double mean(double sum) const { return positions == 0 ? 0.0 : sum / static_cast<double>(positions); }
};

/// Positions whose forecast fell into one tenth: well calibrated are those whose mean result is their mean forecast.
struct ForecastBin {
  std::int64_t positions = 0;
  double forecast = 0;  // sums
  double result = 0;
};

struct ValidationSums {
  ErrorSums all;
  std::array<ErrorSums, kPhases> phases{};
  std::array<ForecastBin, kForecastBins> calibration{};
  std::int64_t decisive = 0;  // positions of games that somebody won
  std::int64_t right = 0;     // ... of which the forecast favours the winner

  void add(const ValidationSample& sample);
  /// Share of positions of decisive games in which the forecast is above one half for the winner; 0 without any.
  double sign_accuracy() const;
  /// Mean distance of a bin's forecast from its result, each bin by its positions.
  double calibration_error() const;
};

/// Adds `validation_loss`, its parts, `sign_accuracy`, `calibration_error`, `phases` and `calibration` to a line of
/// metrics.jsonl.
void add_validation(nlohmann::ordered_json& line, const ValidationSums& sums, Variant variant);

}  // namespace farrier
