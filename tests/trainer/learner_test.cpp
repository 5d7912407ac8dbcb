// LibTorch's operators against our own kernels: the same net, gradients, steps and trainings within the error of floats. On
// the CPU always, on a GPU where LibTorch finds one.
#include "trainer/learner.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include "tests/trainer/random_float_net.h"
#include "trainer/checkpoint.h"
#include "trainer/device.h"

namespace farrier {
namespace {

struct Shape {
  Variant variant;
  Architecture architecture;
};

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (Activation activation : kActivations)
    for (const std::vector<int>& layers : {std::vector<int>{}, {8}, {16, 32}}) {
      Architecture a;
      a.hidden = 32;
      a.activation = activation;
      a.layers = layers;
      all.push_back({Variant::Chess, a});
    }
  Architecture output_buckets;
  output_buckets.hidden = 16;
  output_buckets.activation = Activation::Pairwise;
  output_buckets.layers = {8};
  output_buckets.board_buckets = {24, 29};
  output_buckets.hand_buckets = {1, 3};
  all.push_back({Variant::Crazyhouse, output_buckets});

  Architecture mirrored;
  mirrored.hidden = 16;
  mirrored.layers = {16, 32};
  mirrored.board_buckets = {28};
  mirrored.features.mirror = true;
  for (int square = 0; square < 64; ++square) mirrored.features.king_buckets.push_back(square < 8 ? 0 : 1);
  all.push_back({Variant::Knightmate, mirrored});

  // So many rows that their numbers need all 16 bits; kings at home have the last ones.
  Architecture every_square;
  every_square.hidden = 16;
  every_square.board_buckets = {28};
  for (int square = 0; square < 64; ++square) every_square.features.king_buckets.push_back(63 - square);
  all.push_back({Variant::Crazyhouse, every_square});
  return all;
}

std::vector<float> random_targets(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> targets(count);
  for (float& t : targets) t = static_cast<float>(rng.uniform());
  return targets;
}

std::unique_ptr<Learner> learner_with(const std::string& device, const FloatNet& net) {
  auto learner = make_learner(device, net.architecture, net.rows, net.rows_per_bucket, 1);
  learner->set_net(net);
  return learner;
}

/// The net's parameters in the optimiser's order.
std::vector<std::vector<float>> parts(const FloatNet& net) {
  std::vector<std::vector<float>> all{net.feature_weights};
  if (!net.shared_weights.empty()) all.push_back(net.shared_weights);
  all.push_back(net.feature_bias);
  for (const FloatLayer& layer : net.layers) {
    all.push_back(layer.weights);
    all.push_back(layer.bias);
  }
  return all;
}

double sum_of_differences(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

/// That both went from `start` to the same place, as seen from how far they went.
void expect_same_travel(const FloatNet& start, const FloatNet& net, const FloatNet& reference) {
  const auto from = parts(start), a = parts(net), b = parts(reference);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double travelled = sum_of_differences(b[i], from[i]);
    EXPECT_GT(travelled, 0) << i;
    EXPECT_LT(sum_of_differences(a[i], b[i]), 1e-3 * travelled) << i;
  }
}

float largest(const std::vector<float>& values) {
  float most = 0;
  for (float v : values) most = std::max(most, std::abs(v));
  return most;
}

class Operators : public FolderTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (std::string(GetParam()).starts_with("cuda") && !torch::cuda::is_available())
      GTEST_SKIP() << "LibTorch finds no GPU here";
    // FolderTest's own name would have the slashes of parameterised tests.
    folder_ = std::filesystem::temp_directory_path() /
              ("farrier-operators-" + device() + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  std::string device() const { return GetParam(); }
};

TEST_P(Operators, SayOfEachPositionWhatTheKernelsSay) {
  for (const Shape& shape : shapes()) {
    const SparseBatch batch = batch_of(shape.variant, shape.architecture);
    const FloatNet net = random_net(shape.variant, shape.architecture, 3);
    const std::vector<float> logits = learner_with(device(), net)->logits(batch);
    const std::vector<float> reference = learner_with(kCpuDevice, net)->logits(batch);
    ASSERT_EQ(logits.size(), batch.size());
    for (std::size_t p = 0; p < logits.size(); ++p)
      ASSERT_NEAR(logits[p], reference[p], 2e-5 * largest(reference)) << describe(shape.architecture);

    const int buckets = shape.architecture.output_buckets();
    EXPECT_GE(std::set<int>(batch.buckets.begin(), batch.buckets.end()).size(), buckets / 2U);
    EXPECT_EQ(*std::max_element(batch.indices.begin(), batch.indices.end()) > 0x7FFF, net.rows > 0x8000);
  }
}

TEST_P(Operators, GiveTheGradientsOfTheKernels) {
  for (const Shape& shape : shapes()) {
    const SparseBatch batch = batch_of(shape.variant, shape.architecture);
    const FloatNet net = random_net(shape.variant, shape.architecture, 4);
    const std::vector<float> targets = random_targets(batch.size(), 5);
    StepSettings settings;
    settings.loss.kind = Loss::Kind::CrossEntropy;  // no gradient vanishes where the net is sure
    settings.adamw.beta1 = 0;                       // the first moment is then the gradient itself
    const auto ours = learner_with(kCpuDevice, net), theirs = learner_with(device(), net);
    const StepResult a = ours->step(batch, targets, settings), b = theirs->step(batch, targets, settings);
    EXPECT_NEAR(b.loss, a.loss, 1e-5 * a.loss);
    EXPECT_NEAR(b.gradient_norm, a.gradient_norm, 1e-4 * a.gradient_norm);
    const AdamwState reference = ours->optimizer(), state = theirs->optimizer();
    EXPECT_EQ(state.steps, 1);
    ASSERT_EQ(state.moments.size(), reference.moments.size());
    for (std::size_t i = 0; i < state.moments.size(); ++i) {
      const std::vector<float>& expected = reference.moments[i].first;
      const std::vector<float> zeros(expected.size());
      const double size = sum_of_differences(expected, zeros);
      EXPECT_GT(size, 0);
      EXPECT_LT(sum_of_differences(state.moments[i].first, expected), 1e-4 * size)
          << describe(shape.architecture) << ", parameter " << i;
    }
  }
}

TEST_P(Operators, TakeTheKernelsStepsWithLimitedGradientsToo) {
  for (const Shape& shape : shapes())
    for (double limit : {0.0, 0.05}) {
      const SparseBatch batch = batch_of(shape.variant, shape.architecture);
      const FloatNet net = random_net(shape.variant, shape.architecture, 6);
      StepSettings settings;
      settings.loss.kind = Loss::Kind::CrossEntropy;
      settings.adamw.weight_decay = 0.1;
      settings.adamw.epsilon = 1e-3;  // so large that the length of gradients counts
      settings.max_grad_norm = limit;
      const auto ours = learner_with(kCpuDevice, net), theirs = learner_with(device(), net);
      for (std::uint64_t step = 0; step < 5; ++step) {
        settings.adamw.learning_rate = 1e-3 * static_cast<double>(1 + step);
        const std::vector<float> targets = random_targets(batch.size(), 7 + step);
        EXPECT_GT(ours->step(batch, targets, settings).gradient_norm, limit);
        theirs->step(batch, targets, settings);
      }
      expect_same_travel(net, theirs->net(), ours->net());
    }
}

TEST_P(Operators, GoOnFromTheKernelsOptimiserAndTheyFromTheOperators) {
  const Shape shape = shapes().back();
  const SparseBatch batch = batch_of(shape.variant, shape.architecture);
  const FloatNet net = random_net(shape.variant, shape.architecture, 8);
  const auto steps = [&](Learner& learner) {
    for (std::uint64_t step = 0; step < 4; ++step) {
      StepSettings settings;
      settings.loss.kind = Loss::Kind::CrossEntropy;
      settings.adamw.epsilon = 1e-3;
      learner.step(batch, random_targets(batch.size(), step), settings);
    }
  };
  const auto whole = learner_with(kCpuDevice, net);
  steps(*whole);
  steps(*whole);
  for (const auto& [first, second] :
       {std::pair<std::string, std::string>{kCpuDevice, device()}, {device(), kCpuDevice}}) {
    const auto begun = learner_with(first, net);
    steps(*begun);
    const auto goes_on = learner_with(second, begun->net());
    goes_on->set_optimizer(begun->optimizer());
    steps(*goes_on);
    EXPECT_EQ(goes_on->optimizer().steps, 8);
    expect_same_travel(net, goes_on->net(), whole->net());
  }
}

TEST_P(Operators, KeepWeightsWhereIntegersHoldThem) {
  for (const Shape& shape : shapes()) {
    const SparseBatch batch = batch_of(shape.variant, shape.architecture);
    const FloatNet net = random_net(shape.variant, shape.architecture, 9);
    StepSettings settings;
    settings.adamw.learning_rate = 10;
    const auto ours = learner_with(kCpuDevice, net), theirs = learner_with(device(), net);
    ours->step(batch, random_targets(batch.size(), 10), settings);
    theirs->step(batch, random_targets(batch.size(), 10), settings);
    const FloatNet reached = theirs->net(), reference = ours->net();
    const float half = reached.shared_weights.empty() ? 1 : 2;
    EXPECT_EQ(largest(reached.feature_weights), 1.98F / half);
    EXPECT_EQ(largest(reached.shared_weights), largest(reference.shared_weights));
    EXPECT_EQ(largest(reached.feature_bias), 1.98F);
    for (std::size_t k = 0; k < reached.layers.size(); ++k) {
      EXPECT_EQ(largest(reached.layers[k].weights), 127.0F / 64);
      EXPECT_NEAR(largest(reached.layers[k].bias), largest(reference.layers[k].bias), 1e-3);
    }
  }
}

TEST_P(Operators, LeaveTheNetAsItWasAtALossOrGradientThatIsNoNumber) {
  Architecture plain;
  plain.hidden = 16;
  const SparseBatch batch = batch_of(Variant::Chess, plain);
  for (const std::string& name : {std::string(kCpuDevice), device()}) {
    FloatNet net = random_net(Variant::Chess, plain, 11);
    const auto learner = learner_with(name, net);
    const std::vector<float> wild(batch.size(), std::numeric_limits<float>::quiet_NaN());
    EXPECT_TRUE(std::isnan(learner->step(batch, wild, {}).loss));
    EXPECT_EQ(learner->net(), net);

    // The root of a distance of nothing has no slope.
    for (FloatLayer& layer : net.layers) {
      std::fill(layer.weights.begin(), layer.weights.end(), 0.0F);
      std::fill(layer.bias.begin(), layer.bias.end(), 0.0F);
    }
    learner->set_net(net);
    StepSettings root;
    root.loss = {Loss::Kind::Power, 0.5};
    const StepResult result = learner->step(batch, std::vector<float>(batch.size(), 0.5F), root);
    EXPECT_EQ(result.loss, 0);
    EXPECT_FALSE(std::isfinite(result.gradient_norm));
    EXPECT_EQ(learner->net(), net);
    EXPECT_EQ(learner->optimizer().steps, 0);
  }
}

TEST_P(Operators, BeginWithTheNetThatTheKernelsBeginWith) {
  for (const Shape& shape : shapes()) {
    const InputMap map(shape.variant, shape.architecture.features);
    const auto net = [&](const std::string& name) {
      return make_learner(name, shape.architecture, map.rows(), map.rows_per_bucket(), 12)->net();
    };
    EXPECT_EQ(net(device()), net(kCpuDevice));
  }
}

std::vector<double> validation_losses(const std::filesystem::path& out) {
  std::ifstream in(out / kMetricsName);
  std::vector<double> losses;
  for (std::string line; std::getline(in, line);)
    losses.push_back(nlohmann::json::parse(line)["validation_loss"]);
  return losses;
}

std::string device_note(const std::filesystem::path& out) {
  const auto notes = load_checkpoint(out / kCheckpointName).notes;
  const auto note = notes.find("device");
  return note == notes.end() ? "" : note->second;
}

TEST_P(Operators, TrainToTheKernelsLosses) {
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 300);
  std::atomic<bool> stop{false};
  TrainSettings settings = small_settings(Variant::Crazyhouse, folder_ / "kernels");
  settings.net.shape.board_buckets = {28};
  settings.net.shape.layers = {8};
  train(settings, dataset, stop);
  settings.out = folder_ / "operators";
  settings.device = device();
  train(settings, dataset, stop);
  const auto reference = validation_losses(folder_ / "kernels"), losses = validation_losses(settings.out);
  ASSERT_EQ(losses.size(), 3U);
  EXPECT_LT(losses[2], 0.9 * losses[0]);  // they learn
  for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i], reference[i], 5e-3 * reference[i]);
  EXPECT_EQ(device_note(settings.out), device());
  EXPECT_EQ(device_note(folder_ / "kernels"), "");
}

TEST_P(Operators, ATrainingGoesOnOnAnotherDevice) {
  const Dataset dataset = random_dataset(Variant::Chess, 150);
  std::atomic<bool> never{false};
  TrainSettings settings = small_settings(Variant::Chess, folder_ / "whole");
  settings.config.epochs = 12;
  train(settings, dataset, never);
  const auto whole = validation_losses(settings.out);
  for (const auto& [first, second] :
       {std::pair<std::string, std::string>{kCpuDevice, device()}, {device(), kCpuDevice}}) {
    settings.out = folder_ / ("begun-on-" + first);
    settings.device = first;
    std::atomic<bool> stop{false};
    std::jthread stopper([&] {
      while (!std::filesystem::exists(settings.out / kMetricsName))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      stop = true;
    });
    const TrainSummary begun = train(settings, dataset, stop);
    stopper.join();
    ASSERT_FALSE(begun.finished);
    settings.device = second;
    const TrainSummary ended = train(settings, dataset, never);
    EXPECT_TRUE(ended.finished);
    const auto losses = validation_losses(settings.out);
    ASSERT_EQ(losses.size(), whole.size());
    EXPECT_NEAR(losses.back(), whole.back(), 5e-3 * whole.back());
    EXPECT_EQ(device_note(settings.out), device());
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Operators, testing::Values("cpu-operators", "cuda"),
                         [](const auto& tested) {
                           return std::string(tested.param).substr(0, 3) == "cpu" ? "Cpu" : "Cuda";
                         });

TEST(Device, HasANameThatLibTorchKnows) {
  for (const char* name : {"cpu", "cuda", "cuda:0", "cuda:12", "cpu-operators"})
    EXPECT_EQ(device_name_fault(name), "") << name;
  for (const char* name : {"", "gpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:01", "cuda:0 ", "cudas"})
    EXPECT_NE(device_name_fault(name).find("cpu-operators"), std::string::npos) << name;
}

TEST(Device, IsRefusedBeforeTheDataAreReadIfItIsNotThere) {
  const std::string device = torch::cuda::is_available() ? "cuda:99" : "cuda";
  std::atomic<bool> stop{false};
  TrainSettings settings = small_settings(Variant::Chess, "nowhere");
  settings.data.push_back({{"no-such-folder"}, 1});
  settings.device = device;
  const std::string error = error_of([&] { train(settings, stop); });
  EXPECT_EQ(error.find("--device " + device + ": "), 0U) << error;
  EXPECT_NE(error.find(torch::cuda::is_available() ? "the last GPU here is" : "LibTorch finds no GPU here"),
            std::string::npos)
      << error;
}

}  // namespace
}  // namespace farrier
