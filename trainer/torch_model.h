// The network as a LibTorch module. The one header of ours that includes LibTorch's: only for trainer/*.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/torch.h>

#include "trainer/adamw.h"
#include "trainer/float_net.h"
#include "trainer/layer_kernel.h"
#include "trainer/sparse_batch.h"

namespace farrier {

/// The sparse feature transform as one differentiable step: [views, hidden] accumulators from the batch's
/// inputs.
torch::Tensor sparse_transform(const SparseBatch& batch, const torch::Tensor& weights,
                               const torch::Tensor& bias);
/// An activation and the dense layer after it as one differentiable step: [positions, outputs] from x, whose shape is
/// [positions, shape.values()] when flattened. `weights` is [buckets, outputs, activations], `bias` [buckets, outputs].
torch::Tensor activated_layer(const LayerShape& shape, const torch::Tensor& x, const torch::Tensor& weights,
                              const torch::Tensor& bias, const SparseBatch& batch);

/// The network of engine/nnue/architecture.h.
struct NnueModelImpl : torch::nn::Module {
  /// Draws the first weights from `seed`, by our own generator: the same on every machine. `rows` of the first layer,
  /// `rows_per_bucket` of them for each king bucket.
  NnueModelImpl(const Architecture& architecture, int rows, int rows_per_bucket, std::uint64_t seed);

  /// Logits, one a position, by our own kernels; the parameters must be on the CPU. By LibTorch's: operator_graph.h.
  torch::Tensor forward(const SparseBatch& batch);
  /// What a row of the first layer weighs, [rows, hidden]: its own weights and what king buckets share.
  torch::Tensor row_weights() const;

  /// Weights are kept within +-limit, where quantisation holds them.
  struct Limited {
    torch::Tensor weights;
    double limit;
  };
  std::vector<Limited> limited_weights() const;
  /// The parameter's limit; infinite if it has none.
  double limit_of(const torch::Tensor& parameter) const;
  /// All parameters with their limits and gradients, for the CPU's optimiser.
  std::vector<TrainedValues> trained_values();
  /// Before a step: the next gradients are then taken as they are instead of being added to zeroes.
  void drop_gradients();

  /// The length of all gradients together; longer than `most`, they're scaled down to it (0: never).
  double limit_gradients(double most);

  FloatNet to_float_net() const;
  /// `net` must be of the same shape.
  void from_float_net(const FloatNet& net);

  torch::Tensor feature_weights;  // [rows, hidden]
  torch::Tensor shared_weights;   // [rows per bucket, hidden]; undefined with one king bucket
  torch::Tensor feature_bias;     // [hidden]
  struct Layer {
    LayerShape shape;
    torch::Tensor weights;  // [buckets, outputs, activations]
    torch::Tensor bias;     // [buckets, outputs]
  };
  std::vector<Layer> layers;

 private:
  Architecture architecture_;
  int rows_per_bucket_;
};
TORCH_MODULE(NnueModel);

}  // namespace farrier
