#include "trainer/operator_graph.h"

#include "trainer/tensor_views.h"

namespace farrier {
namespace {

using torch::Tensor;

/// Sums of the active rows, [views, hidden].
Tensor accumulators(const NnueModelImpl& model, const SparseBatch& batch, torch::Device device) {
  // LibTorch has no unsigned 16 bits: rows from 32768 on arrive as negative numbers.
  static_assert(sizeof(FeatureIndex) == sizeof(std::int16_t));
  const Tensor rows =
      to_device(view_of(batch.indices, torch::kInt16), device).to(torch::kInt32).bitwise_and(0xFFFF);
  const Tensor offsets = to_device(view_of(batch.offsets, torch::kInt32), device);
  constexpr bool kScaleByFrequency = false, kSparseGradients = false, kIncludeLastOffset = true;
  constexpr std::int64_t kSum = 0;
  const Tensor sums =
      std::get<0>(torch::embedding_bag(model.row_weights(), rows, offsets, kScaleByFrequency, kSum,
                                       kSparseGradients, /*per_sample_weights=*/{}, kIncludeLastOffset));
  return sums + model.feature_bias;
}

/// [positions, activations] from what flattens to [positions, shape.values()].
Tensor activations(const LayerShape& shape, const Tensor& x) {
  const Tensor clamped =
      x.view({-1, static_cast<std::int64_t>(shape.views), static_cast<std::int64_t>(shape.width)})
          .clamp(0, 1);
  switch (shape.activation) {
    case Activation::Crelu:
      return clamped.flatten(1);
    case Activation::Screlu:
      return clamped.square().flatten(1);
    case Activation::Pairwise:
      break;
  }
  const std::vector<Tensor> halves = clamped.chunk(2, 2);
  return (halves[0] * halves[1]).flatten(1);
}

/// All buckets' outputs of all positions by one product, then each position's own: no sums whose order is left to
/// chance on a GPU, as there would be in the gradients of gathered weights.
Tensor dense(const NnueModelImpl::Layer& layer, const Tensor& active, const Tensor& buckets) {
  const auto outputs = static_cast<std::int64_t>(layer.shape.outputs);
  const Tensor all = torch::linear(active, layer.weights.flatten(0, 1), layer.bias.flatten());
  if (layer.shape.buckets == 1) return all;
  const Tensor own = buckets.view({-1, 1, 1}).expand({-1, 1, outputs});
  return all.view({active.size(0), -1, outputs}).gather(1, own).squeeze(1);
}

}  // namespace

Tensor to_device(const Tensor& on_cpu, torch::Device device) {
  if (device.is_cpu()) return on_cpu;
  return on_cpu.pin_memory().to(device, /*non_blocking=*/true);
}

Tensor operator_logits(const NnueModelImpl& model, const SparseBatch& batch, torch::Device device) {
  Tensor buckets;
  if (!batch.buckets.empty())
    buckets = to_device(view_of(batch.buckets, torch::kUInt8), device).to(torch::kInt64);
  Tensor x = accumulators(model, batch, device);
  for (const NnueModelImpl::Layer& layer : model.layers)
    x = dense(layer, activations(layer.shape, x), buckets);
  return x.view({-1});
}

}  // namespace farrier
