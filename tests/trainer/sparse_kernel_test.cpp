// The kernels and the model against LibTorch's own operations, and their independence of threads.
#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

#include "engine/base/rng.h"
#include "trainer/torch_model.h"

namespace farrier {
namespace {

constexpr int kInputs = 40;

SparseBatch random_batch(std::size_t positions, std::uint64_t seed, int buckets = 1) {
  Rng rng(seed);
  SparseBatch batch;
  for (std::size_t p = 0; p < positions; ++p) {
    for (int view = 0; view < 2; ++view) {
      std::vector<FeatureIndex> inputs;
      for (FeatureIndex i = 0; i < kInputs; ++i)
        if (rng.below(4) == 0) inputs.push_back(i);
      batch.add_view(inputs);
    }
    if (buckets > 1)
      batch.buckets.push_back(static_cast<std::uint8_t>(rng.below(static_cast<std::uint32_t>(buckets))));
    batch.add_labels(static_cast<float>(rng.below(2000)) - 1000.0F, static_cast<float>(rng.below(3)) / 2);
  }
  return batch;
}

/// The same inputs as a dense matrix of zeros and ones, [views, inputs].
torch::Tensor dense(const SparseBatch& batch) {
  torch::Tensor x = torch::zeros({static_cast<std::int64_t>(2 * batch.size()), kInputs});
  for (std::size_t v = 0; v < 2 * batch.size(); ++v)
    for (FeatureIndex i : view_inputs(batch, v)) x.data_ptr<float>()[v * kInputs + i] = 1;
  return x;
}

/// Uniform in +-1; a leaf that wants gradients.
torch::Tensor random_leaf(std::vector<std::int64_t> shape, std::uint64_t seed) {
  Rng rng(seed);
  torch::Tensor t = torch::empty(shape);
  for (std::int64_t i = 0; i < t.numel(); ++i)
    t.data_ptr<float>()[i] = static_cast<float>(2 * rng.uniform() - 1);
  return t.set_requires_grad(true);
}

class KernelWidth : public testing::TestWithParam<int> {};

TEST_P(KernelWidth, SparseTransformAndItsGradientsEqualADenseProduct) {
  const std::int64_t hidden = GetParam();
  const SparseBatch batch = random_batch(300, 1);
  const torch::Tensor w = random_leaf({kInputs, hidden}, 2);
  const torch::Tensor b = random_leaf({hidden}, 3);
  const torch::Tensor probe = random_leaf({600, hidden}, 4).detach();

  const torch::Tensor ours = sparse_transform(batch, w, b);
  (ours * probe).sum().backward();
  const torch::Tensor grad_w = w.grad().clone();
  const torch::Tensor grad_b = b.grad().clone();
  w.mutable_grad().zero_();
  b.mutable_grad().zero_();
  const torch::Tensor theirs = torch::matmul(dense(batch), w) + b;
  (theirs * probe).sum().backward();

  EXPECT_TRUE(torch::allclose(ours, theirs, 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(grad_w, w.grad(), 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(grad_b, b.grad(), 1e-4, 1e-4));
  EXPECT_GT(grad_w.abs().max().item<float>(), 1.0F);
}

/// The activation by LibTorch's operations, [positions, activations].
torch::Tensor activation_of(const LayerShape& shape, const torch::Tensor& x) {
  const torch::Tensor c = x.clamp(0, 1).view(
      {-1, static_cast<std::int64_t>(shape.views), static_cast<std::int64_t>(shape.width)});
  if (shape.activation == Activation::Crelu) return c.flatten(1);
  if (shape.activation == Activation::Screlu) return c.square().flatten(1);
  const auto halves = c.chunk(2, 2);
  return (halves[0] * halves[1]).flatten(1);
}

TEST_P(KernelWidth, LayersAndTheirGradientsEqualLibTorchsOperations) {
  for (Activation activation : kActivations)
    for (const auto& [outputs, buckets] : {std::pair{1, 1}, {1, 5}, {8, 1}, {16, 3}}) {
      const SparseBatch batch = random_batch(300, 1, buckets);
      LayerShape shape;
      shape.activation = activation;
      shape.width = static_cast<std::size_t>(GetParam());
      shape.outputs = static_cast<std::size_t>(outputs);
      shape.buckets = static_cast<std::size_t>(buckets);
      const auto n = static_cast<std::int64_t>(shape.activations());
      const torch::Tensor x = (random_leaf({300, static_cast<std::int64_t>(shape.values())}, 5) * 2)
                                  .detach()
                                  .set_requires_grad(true);  // beyond both ends
      const torch::Tensor w = random_leaf({buckets, outputs, n}, 6);
      const torch::Tensor b = random_leaf({buckets, outputs}, 7);
      const torch::Tensor probe = random_leaf({300, outputs}, 8).detach();

      const torch::Tensor ours = activated_layer(shape, x, w, b, batch);
      (ours * probe).sum().backward();
      std::vector<torch::Tensor> own;
      for (const torch::Tensor& leaf : {x, w, b}) {
        own.push_back(leaf.grad().clone());
        leaf.mutable_grad().zero_();
      }
      torch::Tensor which = torch::zeros({300}, torch::kInt64);
      for (std::size_t p = 0; p < 300; ++p) which[static_cast<std::int64_t>(p)] = batch.bucket(p);
      const torch::Tensor theirs =
          torch::bmm(w.index_select(0, which), activation_of(shape, x).unsqueeze(2)).squeeze(2) +
          b.index_select(0, which);
      (theirs * probe).sum().backward();

      EXPECT_TRUE(torch::allclose(ours, theirs, 1e-4, 1e-4));
      EXPECT_TRUE(torch::allclose(own[0], x.grad(), 1e-4, 1e-5));
      EXPECT_TRUE(torch::allclose(own[1], w.grad(), 1e-4, 1e-4));
      EXPECT_TRUE(torch::allclose(own[2], b.grad(), 1e-4, 1e-4));
      EXPECT_GT(own[0].abs().max().item<float>(), 0.1F);
    }
}

INSTANTIATE_TEST_SUITE_P(Widths, KernelWidth, testing::Values(16, 32, 64, 96, 128, 256));

constexpr int kRowsPerBucket = kInputs / 2;  // two king buckets

/// Models of every kind, over the rows of random_batch.
std::vector<Architecture> model_shapes() {
  std::vector<Architecture> shapes(4);
  for (Architecture& a : shapes) a.hidden = 32;
  shapes[1].activation = Activation::Pairwise;
  shapes[1].layers = {8};
  shapes[2].activation = Activation::Crelu;
  shapes[2].layers = {16, 32};
  shapes[2].board_buckets = {5, 9};
  shapes[3].hand_buckets = {4};
  return shapes;
}

TEST(Model, GradientsAreTheSameBitsOnOneThreadAndOnThree) {
  for (const Architecture& shape : model_shapes()) {
    const SparseBatch batch = random_batch(1000, 9, shape.output_buckets());
    std::vector<std::vector<torch::Tensor>> grads;
    for (int threads : {1, 3}) {
      NnueModel model(shape, kInputs, kRowsPerBucket, 10);
      tbb::task_arena arena(threads);
      arena.execute([&] { torch::sigmoid(model->forward(batch)).square().mean().backward(); });
      std::vector<torch::Tensor> own;
      for (const auto& p : model->parameters()) own.push_back(p.grad().clone());
      grads.push_back(own);
    }
    for (std::size_t i = 0; i < grads[0].size(); ++i)
      EXPECT_TRUE(torch::equal(grads[0][i], grads[1][i])) << i;
  }
}

TEST(Model, EqualsThePlainFloatNet) {
  for (const Architecture& shape : model_shapes())
    for (int rows_per_bucket : {kInputs, kRowsPerBucket}) {
      const SparseBatch batch = random_batch(200, 11, shape.output_buckets());
      NnueModel model(shape, kInputs, rows_per_bucket, 12);
      {
        // Buckets start alike; learnt ones are not.
        torch::NoGradGuard no_grad;
        torch::manual_seed(1);
        for (auto& p : model->parameters()) p.add_(torch::randn_like(p), 0.05);
      }
      const torch::Tensor logits = model->forward(batch);
      const FloatNet net = model->to_float_net();
      for (std::size_t p = 0; p < batch.size(); ++p)
        EXPECT_NEAR(logits[static_cast<std::int64_t>(p)].item<float>(),
                    net.logit(view_inputs(batch, 2 * p), view_inputs(batch, 2 * p + 1), batch.bucket(p)),
                    1e-4);

      NnueModel copy(shape, kInputs, rows_per_bucket, 99);
      copy->from_float_net(net);
      EXPECT_TRUE(torch::equal(copy->forward(batch), logits));
    }
}

TEST(Model, TheOptimiserKeepsWeightsWhereIntegersHoldThem) {
  Architecture shape;
  shape.hidden = 16;
  shape.layers = {8};
  for (int rows_per_bucket : {kInputs, kRowsPerBucket}) {
    NnueModel model(shape, kInputs, rows_per_bucket, 13);
    {
      torch::NoGradGuard no_grad;
      for (auto& p : model->parameters()) p.add_(0.01).mul_(1000);
    }
    model->forward(random_batch(100, 14)).sum().backward();
    AdamwState state;
    adamw_step(state, model->trained_values(), {}, arena_parallel());
    EXPECT_EQ(state.moments.size(), model->parameters().size());
    const FloatNet net = model->to_float_net();
    float largest = 0;
    for (int row = 0; row < net.rows; ++row)
      for (int h = 0; h < 16; ++h) largest = std::max(largest, std::abs(net.feature_weight(row, h)));
    EXPECT_NEAR(largest, 1.98F, 1e-6);
    EXPECT_LE(model->feature_bias.abs().max().item<float>(), 1.98F);
    for (const auto& layer : model->layers) EXPECT_EQ(layer.weights.abs().max().item<float>(), 127.0F / 64);
  }
}

}  // namespace
}  // namespace farrier
