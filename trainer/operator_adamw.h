// AdamW (adamw.h) by LibTorch's operators, on any device. For trainer/*.cpp alone, like torch_model.h.
#pragma once

#include <cstdint>
#include <vector>

#include "trainer/torch_model.h"

namespace farrier {

/// Keeps all parameters one after the other in one piece of memory: a step is then a few operations on all at once, where
/// a GPU would take longer to be told of many small ones than to do them.
class OperatorAdamw {
 public:
  /// Moves the model's parameters to `device`, where they must stay.
  OperatorAdamw(NnueModelImpl& model, torch::Device device);

  /// The gradients of all parameters, which must have some, one after the other.
  torch::Tensor gradients() const;
  /// As adamw_step().
  void step(const torch::Tensor& gradients, const AdamwSettings& settings);

  AdamwState state() const;
  void set_state(const AdamwState& state);

 private:
  std::vector<torch::Tensor> parameters_;  // views of values_
  torch::Tensor values_;
  torch::Tensor limits_;  // by value
  torch::Tensor first_;   // moments
  torch::Tensor second_;
  std::int64_t steps_ = 0;
};

}  // namespace farrier
