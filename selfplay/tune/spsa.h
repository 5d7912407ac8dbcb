// Simultaneous perturbation stochastic approximation (Spall 1998): many parameters fitted at once to the results of games
// between two settings that differ in all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace farrier {

/// A parameter while it is fitted: `value` moves by fractions, games are played with whole numbers.
struct SpsaParameter {
  std::string name;
  double value = 0;
  int low = 0;
  int high = 0;
  double step = 1;  // how far it is moved to see a difference, at the end of the run
  friend bool operator==(const SpsaParameter&, const SpsaParameter&) = default;
};

/// Gains fall as k^-0.602 and steps as k^-0.101 (Spall's exponents), toward these values at the last pair.
struct SpsaSchedule {
  std::int64_t pairs = 5000;
  double rate = 0.01;  // share of a step by which the result of one game moves a value at the end
};

/// What a pair of games compares.
struct SpsaProbe {
  std::vector<int> plus, minus;  // whole values, in the parameters' order
  std::vector<int> signs;        // +1 or -1: which of the two is the higher
};

/// The probe of that pair. Depends on its arguments alone.
SpsaProbe make_probe(const std::vector<SpsaParameter>& parameters, const SpsaSchedule& schedule,
                     std::uint64_t seed, std::int64_t pair);

/// Moves the values towards the side that won: `result` is wins less losses of `plus`, -2 to 2.
void learn_result(std::vector<SpsaParameter>& parameters, const SpsaSchedule& schedule,
                  const SpsaProbe& probe, std::int64_t pair, int result);

}  // namespace farrier
