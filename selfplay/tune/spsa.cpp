#include "selfplay/tune/spsa.h"

#include <algorithm>
#include <cmath>

#include "engine/base/rng.h"

namespace farrier {
namespace {

constexpr double kGainExponent = 0.602;
constexpr double kStepExponent = 0.101;
constexpr double kGainDelay = 0.1;                  // Spall's A: so many of all pairs pass before gains fall
constexpr std::uint64_t kProbeStream = 0x73707361;  // "spsa"

double step_at(const SpsaParameter& p, const SpsaSchedule& s, std::int64_t pair) {
  return p.step * std::pow(static_cast<double>(s.pairs) / static_cast<double>(pair + 1), kStepExponent);
}

/// By how much one game that was won moves the value, before the sign.
double gain_at(const SpsaParameter& p, const SpsaSchedule& s, std::int64_t pair) {
  const double delay = kGainDelay * static_cast<double>(s.pairs);
  const double last = delay + static_cast<double>(s.pairs);
  return s.rate * p.step * std::pow(last / (delay + static_cast<double>(pair + 1)), kGainExponent);
}

/// Rounds up as often as the fraction says, so that a step smaller than one counts too.
int rounded(double value, const SpsaParameter& p, Rng& rng) {
  const double floor = std::floor(value);
  const double whole = rng.uniform() < value - floor ? floor + 1 : floor;
  return static_cast<int>(std::clamp<double>(whole, p.low, p.high));
}

}  // namespace

SpsaProbe make_probe(const std::vector<SpsaParameter>& parameters, const SpsaSchedule& schedule,
                     std::uint64_t seed, std::int64_t pair) {
  Rng rng(derive_seed(seed, kProbeStream, static_cast<std::uint64_t>(pair)));
  SpsaProbe probe;
  for (const SpsaParameter& p : parameters) {
    const int sign = rng.below(2) == 0 ? -1 : 1;
    const double step = sign * step_at(p, schedule, pair);
    probe.signs.push_back(sign);
    probe.plus.push_back(rounded(p.value + step, p, rng));
    probe.minus.push_back(rounded(p.value - step, p, rng));
  }
  return probe;
}

void learn_result(std::vector<SpsaParameter>& parameters, const SpsaSchedule& schedule,
                  const SpsaProbe& probe, std::int64_t pair, int result) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    SpsaParameter& p = parameters[i];
    p.value =
        std::clamp<double>(p.value + gain_at(p, schedule, pair) * result * probe.signs[i], p.low, p.high);
  }
}

}  // namespace farrier
