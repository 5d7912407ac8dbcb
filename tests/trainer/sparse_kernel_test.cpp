// The two kernels against LibTorch's own operations, and their independence of threads.
#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

#include "engine/base/rng.h"
#include "trainer/torch_model.h"

namespace farrier {
namespace {

constexpr int kInputs = 40;

SparseBatch random_batch(std::size_t positions, std::uint64_t seed) {
  Rng rng(seed);
  SparseBatch batch;
  for (std::size_t p = 0; p < positions; ++p) {
    for (int view = 0; view < 2; ++view) {
      std::vector<FeatureIndex> inputs;
      for (FeatureIndex i = 0; i < kInputs; ++i)
        if (rng.below(4) == 0) inputs.push_back(i);
      batch.add_view(inputs);
    }
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

TEST_P(KernelWidth, ScreluOutputAndItsGradientsEqualLibTorchsOperations) {
  const std::int64_t width = 2 * GetParam();
  const torch::Tensor a =
      (random_leaf({300, width}, 5) * 2).detach().set_requires_grad(true);  // beyond both ends
  const torch::Tensor w = random_leaf({width}, 6);
  const torch::Tensor b = random_leaf({1}, 7);
  const torch::Tensor probe = random_leaf({300}, 8).detach();

  const torch::Tensor ours = screlu_output(a, w, b);
  (ours * probe).sum().backward();
  const torch::Tensor grad_a = a.grad().clone();
  const torch::Tensor grad_w = w.grad().clone();
  const torch::Tensor grad_b = b.grad().clone();
  a.mutable_grad().zero_();
  w.mutable_grad().zero_();
  b.mutable_grad().zero_();
  const torch::Tensor theirs = (a.clamp(0, 1).square() * w).sum(1) + b;
  (theirs * probe).sum().backward();

  EXPECT_TRUE(torch::allclose(ours, theirs, 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(grad_a, a.grad(), 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(grad_w, w.grad(), 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(grad_b, b.grad(), 1e-4, 1e-4));
}

INSTANTIATE_TEST_SUITE_P(Widths, KernelWidth, testing::Values(16, 32, 64, 96, 128, 256));

TEST(Model, GradientsAreTheSameBitsOnOneThreadAndOnThree) {
  const SparseBatch batch = random_batch(1000, 9);
  std::vector<std::vector<torch::Tensor>> grads;
  for (int threads : {1, 3}) {
    NnueModel model(kInputs, 32, 10);
    tbb::task_arena arena(threads);
    arena.execute([&] { torch::sigmoid(model->forward(batch)).square().mean().backward(); });
    std::vector<torch::Tensor> own;
    for (const auto& p : model->parameters()) own.push_back(p.grad().clone());
    grads.push_back(own);
  }
  for (std::size_t i = 0; i < grads[0].size(); ++i) EXPECT_TRUE(torch::equal(grads[0][i], grads[1][i])) << i;
}

TEST(Model, EqualsThePlainFloatNet) {
  const SparseBatch batch = random_batch(200, 11);
  NnueModel model(kInputs, 32, 12);
  const torch::Tensor logits = model->forward(batch);
  const FloatNet net = model->to_float_net();
  for (std::size_t p = 0; p < batch.size(); ++p)
    EXPECT_NEAR(logits[static_cast<std::int64_t>(p)].item<float>(),
                net.logit(view_inputs(batch, 2 * p), view_inputs(batch, 2 * p + 1)), 1e-4);
}

TEST(Model, TheOptimiserKeepsWeightsWhereIntegersHoldThem) {
  NnueModel model(kInputs, 16, 13);
  {
    torch::NoGradGuard no_grad;
    for (auto& p : model->parameters()) p.mul_(1000);
  }
  model->forward(random_batch(100, 14)).sum().backward();
  AdamwState state;
  adamw_step(state, model->trained_values(), {}, arena_parallel());
  EXPECT_EQ(state.moments.size(), model->parameters().size());
  EXPECT_NEAR(model->feature_weights.abs().max().item<float>(), 1.98F, 1e-6);
  EXPECT_LE(model->feature_bias.abs().max().item<float>(), 1.98F);
  EXPECT_EQ(model->output_weights.abs().max().item<float>(), 127.0F / 64);
}

}  // namespace
}  // namespace farrier
