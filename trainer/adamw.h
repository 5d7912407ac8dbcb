// AdamW in one pass over the weights: moments, step, decay and clipping together, on all threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trainer/parallel.h"

namespace farrier {

struct AdamwSettings {
  double learning_rate = 1e-3;
  double weight_decay = 0.01;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

/// A step's constants, from its settings and its number, counted from 1.
struct AdamwFactors {
  double decayed;      // what weight decay leaves of a weight
  double step;         // learning rate over the first moment's bias correction
  double root_factor;  // from the root of the second moment to that of its corrected value

  AdamwFactors(const AdamwSettings& settings, std::int64_t number);
};

/// One parameter of a model: its values, changed in place, and what the step needs of it.
struct TrainedValues {
  float* values = nullptr;
  const float* gradients = nullptr;
  std::size_t count = 0;
  float limit = 0;  // values stay within +-limit
};

/// What an optimiser remembers of one parameter.
struct Moments {
  std::vector<float> first;   // running mean of gradients
  std::vector<float> second;  // ... and of their squares
};

/// The whole memory of an optimiser: with it, a training goes on to the same bits. Empty at the start.
struct AdamwState {
  std::int64_t steps = 0;
  std::vector<Moments> moments;  // in the order of the parameters
};

/// One step of AdamW (Loshchilov and Hutter: decay apart from the gradient). The parameters must be as many and as long
/// at every step; those without a gradient stay as they are.
void adamw_step(AdamwState& state, std::span<const TrainedValues> parameters, const AdamwSettings& settings,
                const ParallelFor& parallel);

}  // namespace farrier
