#include "trainer/adamw.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace farrier {
namespace {

/// All constants of a step, as the loop below uses them.
struct Factors {
  float keep1, take1, keep2, take2;
  float decayed, step, root_factor;
  float epsilon;

  Factors(const AdamwSettings& s, const AdamwFactors& f)
      : keep1(static_cast<float>(s.beta1)),
        take1(static_cast<float>(1 - s.beta1)),
        keep2(static_cast<float>(s.beta2)),
        take2(static_cast<float>(1 - s.beta2)),
        decayed(static_cast<float>(f.decayed)),
        step(static_cast<float>(f.step)),
        root_factor(static_cast<float>(f.root_factor)),
        epsilon(static_cast<float>(s.epsilon)) {}
};

/// The pointers never overlap, which the compiler must know to use vector instructions.
void update(float* __restrict values, const float* __restrict gradients, float* __restrict first,
            float* __restrict second, std::size_t count, float limit, const Factors& factors) {
  const Factors f = factors;
  for (std::size_t i = 0; i < count; ++i) {
    const float g = gradients[i];
    const float m = f.keep1 * first[i] + f.take1 * g;
    const float v = f.keep2 * second[i] + f.take2 * g * g;
    first[i] = m;
    second[i] = v;
    const float moved = f.decayed * values[i] - f.step * m / (std::sqrt(v) * f.root_factor + f.epsilon);
    // In this form what is no number stays so, and is found by who looks at the loss.
    const float low = moved < -limit ? -limit : moved;
    values[i] = low > limit ? limit : low;
  }
}

}  // namespace

AdamwFactors::AdamwFactors(const AdamwSettings& s, std::int64_t number)
    : decayed(1 - s.learning_rate * s.weight_decay),
      step(s.learning_rate / (1 - std::pow(s.beta1, static_cast<double>(number)))),
      root_factor(1 / std::sqrt(1 - std::pow(s.beta2, static_cast<double>(number)))) {}

void adamw_step(AdamwState& state, std::span<const TrainedValues> parameters, const AdamwSettings& settings,
                const ParallelFor& parallel) {
  constexpr std::size_t kPerTask = 8192;
  struct Piece {
    std::size_t parameter;
    std::size_t first;
  };
  state.moments.resize(parameters.size());
  std::vector<Piece> pieces;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const std::size_t count = parameters[p].count;
    Moments& moments = state.moments[p];
    if (moments.first.empty()) {
      moments.first.resize(count);
      moments.second.resize(count);
    }
    assert(moments.first.size() == count && moments.second.size() == count);
    if (parameters[p].gradients == nullptr) continue;
    for (std::size_t first = 0; first < count; first += kPerTask) pieces.push_back({p, first});
  }
  const Factors factors(settings, AdamwFactors(settings, ++state.steps));
  parallel(pieces.size(), [&](std::size_t task) {
    const auto [p, first] = pieces[task];
    const TrainedValues& parameter = parameters[p];
    Moments& moments = state.moments[p];
    update(parameter.values + first, parameter.gradients + first, moments.first.data() + first,
           moments.second.data() + first, std::min(kPerTask, parameter.count - first), parameter.limit,
           factors);
  });
}

}  // namespace farrier
