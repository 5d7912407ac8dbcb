// How the learning rate and the result's weight move over a training.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace farrier {

/// A stretch of the training in which the learning rate moves in one way; phases follow one another.
struct LrPhase {
  enum class Kind : std::uint8_t { Constant, Linear, Cosine, Step };
  enum class Unit : std::uint8_t { Rest, Steps, Epochs, Share };

  Kind kind = Kind::Constant;
  Unit unit = Unit::Rest;  // what `length` counts; Rest: all that the other phases leave
  double length = 0;
  std::optional<double> start;  // absent: where the phase before ended
  double end = 0;               // of Linear and Cosine
  // Of Step: the rate is multiplied by `factor` every so many epochs, or after each of the listed ones, counted
  // from the phase's start.
  double factor = 1;
  int every_epochs = 0;
  std::vector<int> at_epochs;
};

std::string_view lr_kind_name(LrPhase::Kind kind);

/// What keeps these phases from filling a training of so many epochs, as a sentence; empty if they do. Phases
/// counted in steps are left to LrSchedule, which knows how many an epoch has.
std::string lr_phases_fault(const std::vector<LrPhase>& phases, int epochs);

/// The learning rate of every step of a training.
class LrSchedule {
 public:
  /// Throws UserError if phases counted in steps leave no room for the others.
  LrSchedule(const std::vector<LrPhase>& phases, std::int64_t steps_per_epoch, int epochs);

  /// For step 0 to steps - 1 of the training.
  double at(std::int64_t step) const;

 private:
  struct Stretch {
    LrPhase phase;
    std::int64_t first = 0;
    std::int64_t steps = 0;
    double start = 0;
  };
  double at(const Stretch& stretch, std::int64_t step) const;
  double end_of(const Stretch& stretch) const;

  std::int64_t steps_per_epoch_;
  std::vector<Stretch> stretches_;  // none is empty
};

/// The plain schedule: a straight rise over the first steps (a tenth of the training at most), then half a cosine
/// from `start` down to `end`.
std::vector<LrPhase> warm_cosine(double start, double end, std::int64_t warmup_steps, std::int64_t steps);

/// Every phase in one line, as settings are compared by: "linear steps=100 0.0001->0.001, ...".
std::string lr_phases_text(const std::vector<LrPhase>& phases);

/// A straight line from `start` at step 0 to `end` at the last of `steps`.
double on_the_way(double start, double end, std::int64_t step, std::int64_t steps);

}  // namespace farrier
