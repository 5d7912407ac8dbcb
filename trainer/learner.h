// The net under training and its optimiser, on whatever device they are: what the training loop knows of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trainer/adamw.h"
#include "trainer/float_net.h"
#include "trainer/loss.h"
#include "trainer/sparse_batch.h"

namespace farrier {

struct StepSettings {
  Loss loss;
  AdamwSettings adamw;
  double max_grad_norm = 0;  // longer gradients are scaled down to it; 0: none is
};

/// How a step went. If one of the two is no finite number, the weights stayed as they were.
struct StepResult {
  double loss = 0;
  double gradient_norm = 0;  // all gradients together, before they were limited
};

class Learner {
 public:
  virtual ~Learner() = default;

  /// One step towards the batch's targets, one for each position. Throws UserError if the device is too small.
  virtual StepResult step(const SparseBatch& batch, std::span<const float> targets,
                          const StepSettings& settings) = 0;
  /// What the net says of each position. Throws UserError if the device is too small.
  virtual std::vector<float> logits(const SparseBatch& batch) = 0;

  /// Nets and optimisers are handed over in memory of the CPU, the same for all devices.
  virtual FloatNet net() const = 0;
  /// `net` must be of the same shape.
  virtual void set_net(const FloatNet& net) = 0;
  virtual AdamwState optimizer() const = 0;
  virtual void set_optimizer(AdamwState state) = 0;
};

/// A learner on that device (device.h), its net drawn from `seed`: first the same on every device. `rows` of the first
/// layer, `rows_per_bucket` of them for each king bucket. Throws UserError if LibTorch cannot compute there.
std::unique_ptr<Learner> make_learner(const std::string& device, const Architecture& architecture, int rows,
                                      int rows_per_bucket, std::uint64_t seed);

}  // namespace farrier
