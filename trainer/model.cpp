#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/rng.h"
#include "engine/nnue/architecture.h"
#include "trainer/screlu_kernel.h"
#include "trainer/sparse_kernel.h"
#include "trainer/torch_model.h"

namespace farrier {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

SparseRows rows_of(const Tensor& indices, const Tensor& offsets) {
  return {reinterpret_cast<const FeatureIndex*>(indices.data_ptr<std::int16_t>()),
          offsets.data_ptr<std::int32_t>(), static_cast<std::size_t>(offsets.size(0) - 1)};
}

struct SparseTransform : torch::autograd::Function<SparseTransform> {
  static Tensor forward(AutogradContext* ctx, const Tensor& indices, const Tensor& offsets,
                        const Tensor& weights, const Tensor& bias) {
    ctx->save_for_backward({indices, offsets});
    ctx->saved_data["inputs"] = weights.size(0);
    const SparseRows rows = rows_of(indices, offsets);
    Tensor out = torch::empty({offsets.size(0) - 1, weights.size(1)});
    sparse_forward(rows, weights.data_ptr<float>(), bias.data_ptr<float>(),
                   static_cast<std::size_t>(weights.size(1)), out.data_ptr<float>(), arena_parallel());
    return out;
  }

  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    const Tensor grad_out = grads[0].contiguous();
    const std::int64_t inputs = ctx->saved_data["inputs"].toInt();
    const std::int64_t hidden = grad_out.size(1);
    Tensor grad_weights = torch::empty({inputs, hidden});
    Tensor grad_bias = torch::empty({hidden});
    thread_local std::vector<float> scratch;
    sparse_backward(rows_of(saved[0], saved[1]), grad_out.data_ptr<float>(), static_cast<std::size_t>(inputs),
                    static_cast<std::size_t>(hidden), grad_weights.data_ptr<float>(),
                    grad_bias.data_ptr<float>(), scratch, arena_parallel());
    return {Tensor(), Tensor(), grad_weights, grad_bias};
  }
};

struct ScreluOutput : torch::autograd::Function<ScreluOutput> {
  static Tensor forward(AutogradContext* ctx, const Tensor& accumulators, const Tensor& weights,
                        const Tensor& bias) {
    ctx->save_for_backward({accumulators, weights});
    const std::int64_t width = weights.size(0);
    const std::int64_t positions = accumulators.numel() / width;
    Tensor logits = torch::empty({positions});
    screlu_forward(accumulators.data_ptr<float>(), weights.data_ptr<float>(), bias.data_ptr<float>()[0],
                   static_cast<std::size_t>(positions), static_cast<std::size_t>(width),
                   logits.data_ptr<float>(), arena_parallel());
    return logits;
  }

  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    const Tensor grad_logits = grads[0].contiguous();
    Tensor grad_accumulators = torch::empty_like(saved[0]);
    Tensor grad_weights = torch::empty_like(saved[1]);
    Tensor grad_bias = torch::empty({1});
    screlu_backward(saved[0].data_ptr<float>(), saved[1].data_ptr<float>(), grad_logits.data_ptr<float>(),
                    static_cast<std::size_t>(grad_logits.size(0)), static_cast<std::size_t>(saved[1].size(0)),
                    grad_accumulators.data_ptr<float>(), grad_weights.data_ptr<float>(),
                    grad_bias.data_ptr<float>(), arena_parallel());
    return {grad_accumulators, grad_weights, grad_bias};
  }
};

/// A tensor of uniform numbers within +-bound.
Tensor uniform(std::int64_t count, double bound, Rng& rng) {
  Tensor t = torch::empty({count});
  float* out = t.data_ptr<float>();
  for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<float>((2 * rng.uniform() - 1) * bound);
  return t;
}

std::vector<float> to_vector(const Tensor& t) {
  const Tensor c = t.detach().contiguous();
  return {c.data_ptr<float>(), c.data_ptr<float>() + c.numel()};
}

void set_values(Tensor& t, const std::vector<float>& values) {
  TORCH_CHECK(t.numel() == static_cast<std::int64_t>(values.size()));
  std::copy(values.begin(), values.end(), t.data_ptr<float>());
}

}  // namespace

Tensor sparse_transform(const SparseBatch& batch, const Tensor& weights, const Tensor& bias) {
  // The batch outlives forward and backward; LibTorch wants writable pointers, but nothing is written.
  auto* indices = reinterpret_cast<std::int16_t*>(const_cast<FeatureIndex*>(batch.indices.data()));
  auto* offsets = const_cast<std::int32_t*>(batch.offsets.data());
  return SparseTransform::apply(
      torch::from_blob(indices, {static_cast<std::int64_t>(batch.indices.size())}, torch::kInt16),
      torch::from_blob(offsets, {static_cast<std::int64_t>(batch.offsets.size())}, torch::kInt32), weights,
      bias);
}

Tensor screlu_output(const Tensor& accumulators, const Tensor& weights, const Tensor& bias) {
  return ScreluOutput::apply(accumulators, weights, bias);
}

NnueModelImpl::NnueModelImpl(int inputs, int hidden, std::uint64_t seed) {
  // About 32 inputs are active, so accumulators start with a spread of about a third around the middle of the
  // activation, where its slope is largest.
  Rng rng(derive_seed(seed, 0x1417, 0));
  feature_weights =
      register_parameter("feature_weights", uniform(inputs * hidden, 0.1, rng).view({inputs, hidden}));
  feature_bias = register_parameter("feature_bias", torch::full({hidden}, 0.3));
  output_weights = register_parameter("output_weights", uniform(2 * hidden, std::sqrt(1.0 / hidden), rng));
  output_bias = register_parameter("output_bias", torch::zeros({1}));
}

Tensor NnueModelImpl::forward(const SparseBatch& batch) {
  return screlu_output(sparse_transform(batch, feature_weights, feature_bias), output_weights, output_bias);
}

std::vector<TrainedValues> NnueModelImpl::trained_values() {
  constexpr float kFeatureLimit = 1.98F;
  constexpr float kOutputLimit = static_cast<float>(kMaxOutputWeight) / kQb;
  constexpr float kNone = std::numeric_limits<float>::infinity();
  std::vector<TrainedValues> all;
  const auto add = [&all](Tensor& t, float limit) {
    const Tensor& grad = t.grad();
    all.push_back({t.data_ptr<float>(), grad.defined() ? grad.data_ptr<float>() : nullptr,
                   static_cast<std::size_t>(t.numel()), limit});
  };
  add(feature_weights, kFeatureLimit);
  add(feature_bias, kFeatureLimit);
  add(output_weights, kOutputLimit);
  add(output_bias, kNone);
  return all;
}

void NnueModelImpl::drop_gradients() {
  for (Tensor& p : parameters()) p.mutable_grad().reset();
}

FloatNet NnueModelImpl::to_float_net() const {
  FloatNet net;
  net.inputs = static_cast<int>(feature_weights.size(0));
  net.hidden = static_cast<int>(feature_weights.size(1));
  net.feature_weights = to_vector(feature_weights);
  net.feature_bias = to_vector(feature_bias);
  net.output_weights = to_vector(output_weights);
  net.output_bias = output_bias.item<float>();
  return net;
}

void NnueModelImpl::from_float_net(const FloatNet& net) {
  set_values(feature_weights, net.feature_weights);
  set_values(feature_bias, net.feature_bias);
  set_values(output_weights, net.output_weights);
  set_values(output_bias, {net.output_bias});
}

}  // namespace farrier
