#include "trainer/quantise.h"

#include <gtest/gtest.h>

#include "tests/support/random_net.h"
#include "tests/trainer/training_testing.h"
#include "trainer/batch_stream.h"
#include "trainer/engine_proof.h"

namespace farrier {
namespace {

/// A net whose weights reach over their whole range, so that every clamp and rounding is met.
FloatNet random_net(Variant variant, const Architecture& architecture, std::uint64_t seed) {
  Rng rng(seed);
  const auto draw = [&](int count, double bound) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& v : values) v = static_cast<float>((2 * rng.uniform() - 1) * bound);
    return values;
  };
  const InputMap map(variant, architecture.features);
  FloatNet net;
  net.architecture = architecture;
  net.rows = map.rows();
  net.rows_per_bucket = map.rows_per_bucket();
  net.feature_weights = draw(net.rows * architecture.hidden, 0.4);
  if (map.buckets() > 1) net.shared_weights = draw(net.rows_per_bucket * architecture.hidden, 0.2);
  net.feature_bias = draw(architecture.hidden, 1.0);
  for (int k = 0; k < architecture.dense_layers(); ++k) {
    const int inputs = architecture.layer_inputs(k), outputs = architecture.layer_outputs(k);
    const int buckets = architecture.output_buckets();
    net.layers.push_back({inputs, outputs, draw(buckets * outputs * inputs, k == 0 ? 1.9 : 1.0),
                          draw(buckets * outputs, 0.4)});
  }
  return net;
}

FloatNet random_net(Variant variant, int hidden, std::uint64_t seed) {
  Architecture architecture;
  architecture.hidden = hidden;
  return random_net(variant, architecture, seed);
}

TEST(Quantise, EqualsTheEngineToTheUnitInEveryVariantAndArchitecture) {
  for (Variant variant : kAllVariants) {
    std::vector<Architecture> architectures = various_architectures(variant);
    architectures.emplace_back();
    for (const Architecture& architecture : architectures) {
      const Result<Net> quantised = quantise(random_net(variant, architecture, 3), variant, 413);
      ASSERT_TRUE(quantised.ok()) << quantised.reason();
      // Through the file's bytes, so that writing and reading are part of the proof.
      EXPECT_GE(prove_engine_agrees(parse_net(serialise_net(*quantised), "test"), 2000), 2000)
          << describe(architecture);
    }
  }
}

/// A batch of positions of random games, as that architecture reads them.
SparseBatch batch_of(Variant variant, const Architecture& architecture) {
  const Dataset dataset = random_dataset(variant, 30);
  StreamOptions options;
  options.batch = 1000;
  BatchStream stream(dataset, architecture, DataPart::Training, options);
  return *stream.next();
}

TEST(Quantise, RoundingErrorIsSmallForEveryArchitecture) {
  for (const Architecture& architecture : various_architectures(Variant::Crazyhouse)) {
    FloatNet net = random_net(Variant::Crazyhouse, architecture, 4);
    const Result<Net> quantised = quantise(net, Variant::Crazyhouse, 400);
    ASSERT_TRUE(quantised.ok());
    const SparseBatch batch = batch_of(Variant::Crazyhouse, architecture);
    const QuantisationError error = measure_quantisation(net, *quantised, batch);
    EXPECT_GT(error.mean_cp, 0.0);
    EXPECT_LT(error.mean_cp, 40) << describe(architecture);
    net.layers.back().bias.assign(net.layers.back().bias.size(), 5);  // a wrong float net does not agree
    EXPECT_GT(measure_quantisation(net, *quantised, batch).mean_cp, 300);
  }
}

TEST(Quantise, RoundingErrorIsMeasuredAndSmall) {
  FloatNet net = random_net(Variant::Crazyhouse, 32, 4);
  const Result<Net> quantised = quantise(net, Variant::Crazyhouse, 400);
  ASSERT_TRUE(quantised.ok());
  const SparseBatch batch = batch_of(Variant::Crazyhouse, net.architecture);
  const QuantisationError error = measure_quantisation(net, *quantised, batch);
  EXPECT_EQ(error.positions, batch.size());
  EXPECT_GT(error.mean_cp, 0.0);
  EXPECT_LE(error.mean_cp, error.p99_cp);
  EXPECT_LE(error.p99_cp, error.worst_cp);
  EXPECT_LT(error.mean_cp, 20);

  net.feature_weights[0] += 1;  // a wrong float net does not agree
  net.layers[0].bias[0] += 1;
  EXPECT_GT(measure_quantisation(net, *quantised, batch).mean_cp, 300);
}

TEST(Quantise, AnAccumulatorThatCouldOverflowIsRefused) {
  FloatNet net = random_net(Variant::Crazyhouse, 16, 5);
  for (std::size_t i = 0; i < net.feature_weights.size(); i += 16)
    net.feature_weights[i] = 4;  // 34 men: 136 * 255
  const Result<Net> quantised = quantise(net, Variant::Crazyhouse, 400);
  ASSERT_FALSE(quantised.ok());
  EXPECT_NE(quantised.reason().find("16 bits"), std::string::npos) << quantised.reason();
}

TEST(Quantise, WeightsThatAreNoNumbersOrTooLargeAreRefused) {
  FloatNet net = random_net(Variant::Chess, 16, 6);
  net.layers[0].weights[3] = 2.5F;
  EXPECT_FALSE(quantise(net, Variant::Chess, 400).ok());
  net = random_net(Variant::Chess, 16, 6);
  net.feature_weights[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(quantise(net, Variant::Chess, 400).ok());
}

}  // namespace
}  // namespace farrier
