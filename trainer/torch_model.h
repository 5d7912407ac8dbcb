// The network as a LibTorch module. The one header of ours that includes LibTorch's: only for trainer/*.cpp.
#pragma once

#include <cstdint>

#include <torch/torch.h>

#include "trainer/adamw.h"
#include "trainer/float_net.h"
#include "trainer/sparse_batch.h"

namespace farrier {

/// The sparse feature transform as one differentiable step: [views, hidden] accumulators from the batch's
/// inputs.
torch::Tensor sparse_transform(const SparseBatch& batch, const torch::Tensor& weights,
                               const torch::Tensor& bias);
/// Squared clipped ReLU of both views and the output layer, fused: [positions] logits from the accumulators.
torch::Tensor screlu_output(const torch::Tensor& accumulators, const torch::Tensor& weights,
                            const torch::Tensor& bias);

/// (inputs -> hidden) x 2 -> SCReLU -> 1, as engine/nnue/architecture.h tells.
struct NnueModelImpl : torch::nn::Module {
  /// Draws the first weights from `seed`, by our own generator: the same on every machine.
  NnueModelImpl(int inputs, int hidden, std::uint64_t seed);

  /// Logits, one a position.
  torch::Tensor forward(const SparseBatch& batch);
  /// All parameters with their gradients, for the optimiser, which keeps them where quantisation holds them: +-1.98 in
  /// the first layer, +-127/64 in the output.
  std::vector<TrainedValues> trained_values();
  /// Before a step: the next gradients are then taken as they are instead of being added to zeroes.
  void drop_gradients();

  FloatNet to_float_net() const;
  void from_float_net(const FloatNet& net);

  torch::Tensor feature_weights;  // [inputs, hidden]
  torch::Tensor feature_bias;     // [hidden]
  torch::Tensor output_weights;   // [2 * hidden]
  torch::Tensor output_bias;      // [1]
};
TORCH_MODULE(NnueModel);

}  // namespace farrier
