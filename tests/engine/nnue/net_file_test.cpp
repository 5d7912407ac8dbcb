#include "engine/nnue/net_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>

#include "engine/base/files.h"
#include "engine/nnue/architecture.h"
#include "engine/nnue/overflow.h"
#include "tests/support/random_net.h"

namespace farrier {
namespace {

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing was refused";
}

std::string refusal_of(const std::string& bytes) {
  return refusal([&] { parse_net(bytes, "x.fnn"); });
}

TEST(NetFile, ReadsBackWhatItWrote) {
  for (Variant variant : kAllVariants)
    for (const Architecture& architecture : various_architectures(variant)) {
      const Net net = random_net_of(variant, architecture);
      const Net read = parse_net(serialise_net(net), "x.fnn");
      EXPECT_EQ(read.variant, net.variant);
      EXPECT_EQ(read.architecture, net.architecture) << describe(read.architecture);
      EXPECT_EQ(read.scale_cp, net.scale_cp);
      EXPECT_EQ(read.notes, net.notes);
      EXPECT_EQ(read.feature_bias, net.feature_bias);
      EXPECT_EQ(read.feature_weights, net.feature_weights);
      ASSERT_EQ(read.layers.size(), net.layers.size());
      for (std::size_t k = 0; k < net.layers.size(); ++k) {
        EXPECT_EQ(read.layers[k].weights, net.layers[k].weights);
        EXPECT_EQ(read.layers[k].bias, net.layers[k].bias);
      }
      EXPECT_EQ(serialise_net(read), serialise_net(net));
    }
}

TEST(NetFile, NetsOfTheFirstFormatAreStillRead) {
  // The same net as version 1 had it: output weights of 16 bits, and no word on architecture but the width.
  const Net net = random_net_of(Variant::Crazyhouse, 32);
  std::string bytes = serialise_net(net);
  bytes[8] = 1;
  const std::size_t checksum = 8, bias = 4, weights = net.layers[0].weights.size();
  bytes.resize(bytes.size() - checksum - bias - weights);
  for (std::int16_t w : net.layers[0].weights) bytes.append(reinterpret_cast<const char*>(&w), sizeof w);
  bytes.append(reinterpret_cast<const char*>(net.layers[0].bias.data()), bias);
  std::uint64_t sum = 0xCBF29CE484222325ULL;  // FNV-1a
  for (char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  EXPECT_EQ(serialise_net(parse_net(bytes, "old.fnn")), serialise_net(net));
}

TEST(NetFile, ArchitecturesThatCantBePlayedAreRefusedByName) {
  const auto refusal_with = [](const char* from, const std::string& to) {
    std::string bytes = serialise_net(random_net_of(Variant::Knightmate, 16));
    const std::size_t at = bytes.find(from);
    const std::size_t length = std::string_view(from).size();
    bytes.replace(at, length, to);
    auto size = static_cast<std::uint32_t>(0);
    std::memcpy(&size, &bytes[12], sizeof size);
    size += static_cast<std::uint32_t>(to.size()) - static_cast<std::uint32_t>(length);
    std::memcpy(&bytes[12], &size, sizeof size);
    return refusal_of(bytes);
  };
  EXPECT_NE(refusal_with("hidden: 16", "hidden: 17").find("'hidden' is 17"), std::string::npos);
  EXPECT_NE(refusal_with("hidden: 16", "hidden: 16\nlayers: 16 5").find("'layers' is 16, 5"),
            std::string::npos);
  EXPECT_NE(refusal_with("hidden: 16", "hidden: 16\nhand_buckets: 3").find("no men are in hand"),
            std::string::npos);
  EXPECT_NE(
      refusal_with("hidden: 16", "hidden: 16\nactivation: relu").find("'activation' can't be read: 'relu'"),
      std::string::npos);
  EXPECT_NE(refusal_with("hidden: 16", "hidden: 16\nking_buckets: 0 1").find("'king_buckets' has 2 numbers"),
            std::string::npos);
}

TEST(NetFile, ForeignFileIsRefusedByName) {
  EXPECT_NE(refusal_of("hello").find("x.fnn: this is not a Farrier net"), std::string::npos);
  EXPECT_NE(refusal_of("").find("not a Farrier net"), std::string::npos);
}

TEST(NetFile, NewerFormatIsRefusedWithBothVersions) {
  std::string bytes = serialise_net(random_net_of(Variant::Chess, 16));
  bytes[8] = 7;
  EXPECT_NE(refusal_of(bytes).find("format version 7, this program reads versions 1 to 2"),
            std::string::npos);
}

TEST(NetFile, CutFileIsRefusedAtEveryLength) {
  const std::string bytes = serialise_net(random_net_of(Variant::Knightmate, 16));
  for (std::size_t length = 0; length < bytes.size(); length += 97)
    EXPECT_NE(refusal_of(bytes.substr(0, length)), "nothing was refused") << length;
  EXPECT_NE(refusal_of(bytes.substr(0, bytes.size() - 1)).find("cut short"), std::string::npos);
  EXPECT_NE(refusal_of(bytes + "x").find("1 bytes too many"), std::string::npos);
}

TEST(NetFile, AnyFlippedBitIsFound) {
  const std::string bytes = serialise_net(random_net_of(Variant::PocketKnight, 16));
  Rng rng(9);
  for (int trial = 0; trial < 300; ++trial) {
    std::string damaged = bytes;
    const std::size_t at = rng.below(static_cast<std::uint32_t>(bytes.size()));
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << rng.below(8)));
    EXPECT_NE(refusal_of(damaged), "nothing was refused") << at;
  }
}

TEST(NetFile, UnwritablePlaceIsToldAndLeavesNothing) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "farrier-net-file-test";
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "plain";
  write_file_whole(file, "a file, no folder");
  const Net net = random_net_of(Variant::Chess, 16);
  EXPECT_NE(refusal([&] { write_net(net, file / "x.fnn"); }).find("can't be written"), std::string::npos);
  EXPECT_EQ(read_file(file), "a file, no folder");
  write_net(net, folder / "x.fnn");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.fnn.tmp"));
  EXPECT_EQ(serialise_net(read_net(folder / "x.fnn")), serialise_net(net));
  std::filesystem::remove_all(folder);
}

TEST(Overflow, AccumulatorBeyondSixteenBitsIsRefused) {
  Net net = random_net_of(Variant::Chess, 16);
  for (auto& w : net.feature_weights) w = 1000;
  EXPECT_NE(prove_no_overflow(net).reason().find("beyond 16 bits"), std::string::npos);
  EXPECT_NE(refusal_of(serialise_net(net)).find("beyond 16 bits"), std::string::npos);
}

TEST(Overflow, BoundIsReachedByTheMenThereCanBe) {
  // Every man adds 900 to one hidden unit: 34 men and the bias give the bound exactly.
  Net net = random_net_of(Variant::Crazyhouse, 16);
  std::fill(net.feature_weights.begin(), net.feature_weights.end(), std::int16_t{0});
  std::fill(net.feature_bias.begin(), net.feature_bias.end(), std::int16_t{0});
  for (std::size_t input = 0; input < kBoardInputs; ++input) net.feature_weights[input * 16 + 3] = 900;
  net.feature_bias[3] = 50;
  EXPECT_EQ(*prove_no_overflow(net), 34 * 900 + 50);
}

TEST(Overflow, OutputWeightBeyondItsProductIsRefused) {
  Net net = random_net_of(Variant::Chess, 16);
  net.layers[0].weights[5] = kMaxOutputWeight + 1;
  EXPECT_NE(prove_no_overflow(net).reason().find("output weight of 128"), std::string::npos);
}

TEST(Overflow, OutputSumBeyondThirtyTwoBitsIsRefused) {
  Net net = random_net_of(Variant::Chess, 512);
  std::fill(net.layers[0].weights.begin(), net.layers[0].weights.end(), std::int16_t{127});
  EXPECT_NE(prove_no_overflow(net).reason().find("32 bits"), std::string::npos);
}

}  // namespace
}  // namespace farrier
