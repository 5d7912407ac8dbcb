#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/rng.h"
#include "engine/nnue/arithmetic.h"
#include "trainer/layer_kernel.h"
#include "trainer/sparse_kernel.h"
#include "trainer/tensor_views.h"
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

struct ActivatedLayer : torch::autograd::Function<ActivatedLayer> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& weights, const Tensor& bias,
                        const Tensor& buckets, const LayerShape& shape) {
    ctx->save_for_backward({x, weights, bias, buckets});
    ctx->saved_data["shape"] = std::vector<std::int64_t>{static_cast<std::int64_t>(shape.activation),
                                                         static_cast<std::int64_t>(shape.views)};
    const auto positions = x.numel() / static_cast<std::int64_t>(shape.values());
    Tensor y = torch::empty({positions, static_cast<std::int64_t>(shape.outputs)});
    layer_forward(shape, x.data_ptr<float>(), {weights.data_ptr<float>(), bias.data_ptr<float>()},
                  bucket_data(buckets), static_cast<std::size_t>(positions), y.data_ptr<float>(),
                  arena_parallel());
    return y;
  }

  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    const Tensor &x = saved[0], &weights = saved[1], &bias = saved[2], &buckets = saved[3];
    const auto kept = ctx->saved_data["shape"].toIntVector();
    const Tensor grad_y = grads[0].contiguous();
    const auto positions = static_cast<std::size_t>(grad_y.size(0));
    LayerShape shape;
    shape.activation = static_cast<Activation>(kept[0]);
    shape.views = static_cast<std::size_t>(kept[1]);
    shape.width = static_cast<std::size_t>(x.numel()) / positions / shape.views;
    shape.outputs = static_cast<std::size_t>(weights.size(1));
    shape.buckets = static_cast<std::size_t>(weights.size(0));
    Tensor grad_x = torch::empty_like(x);
    Tensor grad_weights = torch::empty_like(weights);
    Tensor grad_bias = torch::empty_like(bias);
    layer_backward(shape, x.data_ptr<float>(), {weights.data_ptr<float>(), bias.data_ptr<float>()},
                   bucket_data(buckets), positions, grad_y.data_ptr<float>(), grad_x.data_ptr<float>(),
                   {grad_weights.data_ptr<float>(), grad_bias.data_ptr<float>()}, arena_parallel());
    return {grad_x, grad_weights, grad_bias, Tensor(), Tensor()};
  }

 private:
  static const std::uint8_t* bucket_data(const Tensor& buckets) {
    return buckets.numel() == 0 ? nullptr : buckets.data_ptr<std::uint8_t>();
  }
};

/// A tensor of uniform numbers within +-bound.
Tensor uniform(std::int64_t count, double bound, Rng& rng) {
  Tensor t = torch::empty({count});
  float* out = t.data_ptr<float>();
  for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<float>((2 * rng.uniform() - 1) * bound);
  return t;
}

void set_values(Tensor& t, const std::vector<float>& values) {
  TORCH_CHECK(t.numel() == static_cast<std::int64_t>(values.size()));
  const torch::NoGradGuard no_grad;
  t.copy_(view_of(values).view(t.sizes()));
}

}  // namespace

Tensor sparse_transform(const SparseBatch& batch, const Tensor& weights, const Tensor& bias) {
  // The batch outlives forward and backward.
  return SparseTransform::apply(view_of(batch.indices, torch::kInt16), view_of(batch.offsets, torch::kInt32),
                                weights, bias);
}

Tensor activated_layer(const LayerShape& shape, const Tensor& x, const Tensor& weights, const Tensor& bias,
                       const SparseBatch& batch) {
  return ActivatedLayer::apply(x, weights, bias, view_of(batch.buckets, torch::kUInt8), shape);
}

NnueModelImpl::NnueModelImpl(const Architecture& architecture, int rows, int rows_per_bucket,
                             std::uint64_t seed)
    : architecture_(architecture), rows_per_bucket_(rows_per_bucket) {
  const int hidden = architecture.hidden;
  // About 32 inputs are active, so accumulators start with a spread of about a third around the middle of the
  // activation, where its slope is largest.
  Rng rng(derive_seed(seed, 0x1417, 0));
  const Tensor first = uniform(rows_per_bucket * hidden, 0.1, rng).view({rows_per_bucket, hidden});
  if (rows == rows_per_bucket) {
    feature_weights = register_parameter("feature_weights", first);
  } else {
    feature_weights = register_parameter("feature_weights", torch::zeros({rows, hidden}));
    shared_weights = register_parameter("shared_weights", first);
  }
  feature_bias = register_parameter("feature_bias", torch::full({hidden}, 0.3));

  for (int k = 0; k < architecture.dense_layers(); ++k) {
    Layer layer;
    const bool is_first = k == 0, is_output = k + 1 == architecture.dense_layers();
    const int inputs = architecture.layer_inputs(k), outputs = architecture.layer_outputs(k);
    const int buckets = architecture.output_buckets();
    layer.shape.activation = is_first ? architecture.activation : Activation::Crelu;
    layer.shape.views = is_first ? 2 : 1;
    layer.shape.width = static_cast<std::size_t>(is_first ? hidden : inputs);
    layer.shape.outputs = static_cast<std::size_t>(outputs);
    layer.shape.buckets = static_cast<std::size_t>(buckets);
    // All buckets start alike; what makes them differ is left to the data.
    const Tensor drawn = uniform(outputs * inputs, std::sqrt(2.0 / inputs), rng).view({1, outputs, inputs});
    const std::string name = "layer" + std::to_string(k);
    layer.weights = register_parameter(name + "_weights", drawn.repeat({buckets, 1, 1}));
    layer.bias = register_parameter(name + "_bias", torch::full({buckets, outputs}, is_output ? 0.0 : 0.3));
    layers.push_back(layer);
  }
}

Tensor NnueModelImpl::row_weights() const {
  if (!shared_weights.defined()) return feature_weights;
  return feature_weights + shared_weights.repeat({feature_weights.size(0) / rows_per_bucket_, 1});
}

Tensor NnueModelImpl::forward(const SparseBatch& batch) {
  Tensor x = sparse_transform(batch, row_weights(), feature_bias);
  for (const Layer& layer : layers) x = activated_layer(layer.shape, x, layer.weights, layer.bias, batch);
  return x.view({-1});
}

std::vector<NnueModelImpl::Limited> NnueModelImpl::limited_weights() const {
  constexpr double kFeatureLimit = 1.98;
  constexpr double kLayerLimit = static_cast<double>(kMaxOutputWeight) / kQb;
  std::vector<Limited> limited;
  if (shared_weights.defined()) {
    // The two are added in the end.
    limited.push_back({feature_weights, kFeatureLimit / 2});
    limited.push_back({shared_weights, kFeatureLimit / 2});
  } else {
    limited.push_back({feature_weights, kFeatureLimit});
  }
  limited.push_back({feature_bias, kFeatureLimit});
  for (const Layer& layer : layers) limited.push_back({layer.weights, kLayerLimit});
  return limited;
}

double NnueModelImpl::limit_of(const Tensor& parameter) const {
  for (const Limited& l : limited_weights())
    if (l.weights.is_same(parameter)) return l.limit;
  return std::numeric_limits<double>::infinity();
}

std::vector<TrainedValues> NnueModelImpl::trained_values() {
  std::vector<TrainedValues> all;
  for (Tensor& p : parameters()) {
    const Tensor& grad = p.grad();
    all.push_back({p.data_ptr<float>(), grad.defined() ? grad.data_ptr<float>() : nullptr,
                   static_cast<std::size_t>(p.numel()), static_cast<float>(limit_of(p))});
  }
  return all;
}

void NnueModelImpl::drop_gradients() {
  for (Tensor& p : parameters()) p.mutable_grad().reset();
}

double NnueModelImpl::limit_gradients(double most) {
  double squares = 0;
  for (const Tensor& p : parameters())
    if (p.grad().defined()) squares += std::pow(p.grad().norm().item<double>(), 2);
  const double norm = std::sqrt(squares);
  if (most > 0 && std::isfinite(norm) && norm > most) {
    torch::NoGradGuard no_grad;
    for (const Tensor& p : parameters())
      if (p.grad().defined()) p.grad().mul_(most / norm);
  }
  return norm;
}

FloatNet NnueModelImpl::to_float_net() const {
  FloatNet net;
  net.architecture = architecture_;
  net.rows = static_cast<int>(feature_weights.size(0));
  net.rows_per_bucket = rows_per_bucket_;
  net.feature_weights = to_vector(feature_weights);
  if (shared_weights.defined()) net.shared_weights = to_vector(shared_weights);
  net.feature_bias = to_vector(feature_bias);
  for (const Layer& layer : layers)
    net.layers.push_back({static_cast<int>(layer.shape.activations()), static_cast<int>(layer.shape.outputs),
                          to_vector(layer.weights), to_vector(layer.bias)});
  return net;
}

void NnueModelImpl::from_float_net(const FloatNet& net) {
  set_values(feature_weights, net.feature_weights);
  if (shared_weights.defined()) set_values(shared_weights, net.shared_weights);
  set_values(feature_bias, net.feature_bias);
  for (std::size_t k = 0; k < layers.size(); ++k) {
    set_values(layers[k].weights, net.layers[k].weights);
    set_values(layers[k].bias, net.layers[k].bias);
  }
}

}  // namespace farrier
