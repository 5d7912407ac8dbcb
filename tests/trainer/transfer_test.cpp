#include "trainer/transfer.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numeric>

#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/chess/fen.h"
#include "selfplay/loading/packed_position.h"
#include "tests/support/random_net.h"
#include "tests/trainer/random_float_net.h"
#include "trainer/batch_encoder.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/export.h"
#include "trainer/quantise.h"
#include "trainer/starting_point.h"
#include "trainer/train_loop.h"

namespace farrier {
namespace {

FloatNet transferred(const NetOfVariant& source, Variant variant, const Architecture& architecture,
                     int scale_cp = 400) {
  const Result<FloatNet> net = transfer(source, variant, architecture, scale_cp, 9);
  EXPECT_TRUE(net.ok()) << net.reason();
  return *net;
}

/// Logits of a batch of the variant's random games.
std::vector<double> logits(const FloatNet& net, Variant variant) {
  const SparseBatch batch = batch_of(variant, net.architecture);
  std::vector<double> all;
  for (std::size_t p = 0; p < batch.size(); ++p)
    all.push_back(net.logit(view_inputs(batch, 2 * p), view_inputs(batch, 2 * p + 1), batch.bucket(p)));
  return all;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double most) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GT(a.size(), 100U);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  EXPECT_LT(worst, most);
}

/// Root mean square of the differences, as a share of the spread of `b`.
double relative_distance(const std::vector<double>& a, const std::vector<double>& b) {
  const auto size = static_cast<double>(b.size());
  const double mean = std::accumulate(b.begin(), b.end(), 0.0) / size;
  double differences = 0, spread = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    differences += (a.at(i) - b[i]) * (a.at(i) - b[i]);
    spread += (b[i] - mean) * (b[i] - mean);
  }
  return std::sqrt(differences / spread);
}

/// What a net says of a position, in logits.
template <VariantRules R>
double logit_of(const FloatNet& net, std::string_view fen) {
  const Board board = parse_fen<R>(std::string(fen)).value_or_throw("FEN");
  const std::array positions{pack<R>(board)};
  SparseBatch batch;
  BatchEncoder(R::kVariant, net.architecture).encode(positions, batch);
  return net.logit(view_inputs(batch, 0), view_inputs(batch, 1), batch.bucket(0));
}

TEST(Dequantise, IsUndoneByQuantisingAgain) {
  for (const Architecture& architecture : various_architectures(Variant::Crazyhouse)) {
    const Net net = random_net_of(Variant::Crazyhouse, architecture);
    const Result<Net> again = quantise(dequantise(net), Variant::Crazyhouse, net.scale_cp);
    ASSERT_TRUE(again.ok()) << again.reason();
    EXPECT_EQ(again->feature_weights, net.feature_weights) << describe(architecture);
    EXPECT_EQ(again->feature_bias, net.feature_bias);
    for (std::size_t k = 0; k < net.layers.size(); ++k) {
      EXPECT_EQ(again->layers[k].weights, net.layers[k].weights);
      EXPECT_EQ(again->layers[k].bias, net.layers[k].bias);
    }
  }
}

TEST(Transfer, ToTheSameShapeAndVariantChangesNothing) {
  for (const Architecture& architecture : various_architectures(Variant::Crazyhouse)) {
    const FloatNet net = random_net(Variant::Crazyhouse, architecture, 5);
    EXPECT_EQ(transferred({Variant::Crazyhouse, 400, net}, Variant::Crazyhouse, architecture), net)
        << describe(architecture);
  }
}

TEST(Transfer, AWidenedNetScoresNearlyAsTheNarrowOneAndItsTwinsDiffer) {
  for (Architecture architecture : various_architectures(Variant::Crazyhouse)) {
    const FloatNet net = random_net(Variant::Crazyhouse, architecture, 6);
    const std::vector<double> before = logits(net, Variant::Crazyhouse);
    const int old_width = architecture.hidden;
    for (int wider : {old_width * 3 / 2, old_width * 5 / 2}) {
      architecture.hidden = wider;
      const FloatNet wide = transferred({Variant::Crazyhouse, 400, net}, Variant::Crazyhouse, architecture);
      EXPECT_LT(relative_distance(logits(wide, Variant::Crazyhouse), before), 0.03) << describe(architecture);
      const auto width = static_cast<std::size_t>(wider);
      const std::vector<float>& weights =
          wide.shared_weights.empty() ? wide.feature_weights : wide.shared_weights;
      for (std::size_t a = 0; a < width; ++a)
        for (std::size_t b = 0; b < a; ++b) {
          bool same = true;
          for (std::size_t row = 0; same && row * width < weights.size(); ++row)
            same = weights[row * width + a] == weights[row * width + b];
          ASSERT_FALSE(same) << a << " and " << b << " of " << describe(architecture);
        }
    }
  }
}

TEST(Transfer, FinerKingAndOutputBucketsBeginAsTheCoarserOnes) {
  Architecture plain;
  plain.hidden = 32;
  plain.board_buckets = {12};
  Architecture finer = plain;
  for (int s = 0; s < 64; ++s) finer.features.king_buckets.push_back(s / 16);
  finer.board_buckets = {8, 12, 24};
  finer.hand_buckets = {1, 4};
  Architecture finest = finer;
  for (int s = 0; s < 64; ++s) finest.features.king_buckets[static_cast<std::size_t>(s)] = s / 4;
  const FloatNet net = random_net(Variant::Crazyhouse, plain, 7);
  const std::vector<double> before = logits(net, Variant::Crazyhouse);
  FloatNet fine = transferred({Variant::Crazyhouse, 400, net}, Variant::Crazyhouse, finer);
  expect_near(logits(fine, Variant::Crazyhouse), before, 1e-9);
  // And from there again, once its buckets differ.
  for (std::size_t i = 0; i < fine.feature_weights.size(); i += 3) fine.feature_weights[i] += 0.1F;
  expect_near(
      logits(transferred({Variant::Crazyhouse, 400, fine}, Variant::Crazyhouse, finest), Variant::Crazyhouse),
      logits(fine, Variant::Crazyhouse), 1e-9);
}

TEST(Transfer, AMirroredNetTakesTheWeightsOfKingsOnTheirOwnHalf) {
  Architecture plain;
  plain.hidden = 16;
  Architecture mirrored = plain;
  mirrored.features.mirror = true;
  const FloatNet net = random_net(Variant::Chess, plain, 8);
  const FloatNet turned = transferred({Variant::Chess, 400, net}, Variant::Chess, mirrored);
  constexpr std::string_view kKingsRight = "6k1/5ppp/8/8/3Q4/8/5PPP/6K1 w - - 0 1";
  constexpr std::string_view kKingsLeft = "1k6/ppp5/8/8/4Q3/8/PPP5/1K6 w - - 0 1";
  EXPECT_EQ(logit_of<StandardRules>(turned, kKingsRight), logit_of<StandardRules>(net, kKingsRight));
  EXPECT_EQ(logit_of<StandardRules>(turned, kKingsLeft), logit_of<StandardRules>(net, kKingsRight));
}

TEST(Transfer, BetweenVariantsBoardsScoreTheSameInCentipawns) {
  Architecture architecture;
  architecture.hidden = 32;
  const FloatNet house = random_net(Variant::Crazyhouse, architecture, 10);
  const NetOfVariant source{Variant::Crazyhouse, 300, house};
  const FloatNet chess = transferred(source, Variant::Chess, architecture, 450);
  constexpr std::string_view kBoard = "r1bqk2r/pppp1ppp/2n2n2/4p3/1bB1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1";
  std::string with_hands(kBoard);
  with_hands.insert(with_hands.find(' '), "[]");
  EXPECT_NEAR(450 * logit_of<StandardRules>(chess, kBoard), 300 * logit_of<Crazyhouse>(house, with_hands),
              0.01);
}

TEST(Transfer, MenInHandCountOnWhereBothVariantsHoldThem) {
  Architecture architecture;
  architecture.hidden = 32;
  const FloatNet house = random_net(Variant::Crazyhouse, architecture, 11);
  const FloatNet pocket = transferred({Variant::Crazyhouse, 400, house}, Variant::PocketKnight, architecture);
  const auto fen = [](const char* hands) {
    return "4k3/pppp4/8/8/8/8/PPPP4/4K3" + std::string(hands) + " w - - 0 1";
  };
  for (const char* hands : {"[Nn]", "[N]", "[n]", "[]"})
    EXPECT_NEAR(logit_of<PocketKnight>(pocket, fen(hands)), logit_of<Crazyhouse>(house, fen(hands)), 1e-9)
        << hands;
  // Back: a second knight and other men are unknown to a pocket-knight net, and weigh nothing.
  const FloatNet again = transferred({Variant::PocketKnight, 400, pocket}, Variant::Crazyhouse, architecture);
  EXPECT_EQ(logit_of<Crazyhouse>(again, fen("[NNQPn]")), logit_of<Crazyhouse>(again, fen("[Nn]")));
  EXPECT_NE(logit_of<Crazyhouse>(again, fen("[Nn]")), logit_of<Crazyhouse>(again, fen("[n]")));
}

TEST(Transfer, ShapesThatCannotBeBroughtTogetherAreToldWithTheRemedy) {
  Architecture base;
  base.hidden = 64;
  base.board_buckets = {10, 20};
  const NetOfVariant source{Variant::Chess, 400, random_net(Variant::Chess, base, 12)};
  const auto fault = [&](auto&& change) {
    Architecture other = base;
    change(other);
    const Result<FloatNet> net = transfer(source, Variant::Chess, other, 400, 1);
    EXPECT_FALSE(net.ok());
    return net.ok() ? "" : net.reason();
  };
  EXPECT_EQ(fault([](Architecture& a) { a.hidden = 32; }),
            "has 64 hidden neurons, which a net of 32 can't hold; set net.hidden to 64 or more");
  EXPECT_NE(fault([](Architecture& a) {
              a.activation = Activation::Crelu;
            }).find("set net.activation to \"screlu\""),
            std::string::npos);
  EXPECT_NE(fault([](Architecture& a) { a.layers = {16}; }).find("set net.layers to []"), std::string::npos);
  EXPECT_NE(
      fault([](Architecture& a) { a.board_buckets = {10}; }).find("net.board_buckets have its [10, 20]"),
      std::string::npos);

  Architecture by_hand = base;
  by_hand.hand_buckets = {3};
  const Result<FloatNet> handless = transfer(
      {Variant::Crazyhouse, 400, random_net(Variant::Crazyhouse, by_hand, 14)}, Variant::Chess, base, 400, 1);
  ASSERT_FALSE(handless.ok());
  EXPECT_EQ(handless.reason(),
            "has output buckets by men in hand, of which chess has none; begin with a net without them");

  Architecture mirrored = base;
  mirrored.features.mirror = true;
  const Result<FloatNet> net =
      transfer({Variant::Chess, 400, random_net(Variant::Chess, mirrored, 13)}, Variant::Chess, base, 400, 1);
  ASSERT_FALSE(net.ok());
  EXPECT_NE(net.reason().find("give net.mirror"), std::string::npos);
}

class TrainFrom : public FolderTest {
 protected:
  /// A crazyhouse net that has learnt material, and its checkpoint's folder.
  std::filesystem::path teacher() {
    const std::filesystem::path out = folder_ / "teacher";
    TrainSettings settings = small_settings(Variant::Crazyhouse, out);
    settings.config.epochs = 8;
    settings.config.result_weight = 0;
    train(settings, random_dataset(Variant::Crazyhouse, 400), stop_);
    return out;
  }
  double first_loss(const std::filesystem::path& out) const {
    std::ifstream in(out / kMetricsName);
    std::string line;
    std::getline(in, line);
    return nlohmann::json::parse(line)["train_loss"];
  }

  std::atomic<bool> stop_{false};
};

TEST_F(TrainFrom, ANetOfAnotherVariantScoresMaterialFromTheStart) {
  const std::filesystem::path from = teacher();
  for (Variant variant : {Variant::Chess, Variant::PocketKnight, Variant::Knightmate}) {
    const std::string name(variant_name(variant));
    const Dataset dataset = random_dataset(variant, 200);
    TrainSettings settings = small_settings(variant, folder_ / ("fresh-" + name));
    settings.config.epochs = 1;
    settings.config.result_weight = 0;
    train(settings, dataset, stop_);
    settings.out = folder_ / name;
    settings.from = from;
    train(settings, dataset, stop_);
    EXPECT_LT(first_loss(settings.out), 0.5 * first_loss(folder_ / ("fresh-" + name))) << name;
  }
  // Before any training: more men are worth more, whoever moves.
  Architecture narrow;
  narrow.hidden = 16;
  const FloatNet chess = StartingPoint(from, false).net_for(Variant::Chess, narrow, 400, 1);
  constexpr std::string_view kQueenUp = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  constexpr std::string_view kRookUp = "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1";
  constexpr std::string_view kQueenDown = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
  EXPECT_GT(400 * logit_of<StandardRules>(chess, kQueenUp), 300);
  EXPECT_GT(400 * logit_of<StandardRules>(chess, kRookUp), 100);
  EXPECT_GT(logit_of<StandardRules>(chess, kQueenUp), logit_of<StandardRules>(chess, kRookUp));
  EXPECT_LT(400 * logit_of<StandardRules>(chess, kQueenDown), -300);
}

TEST_F(TrainFrom, AnExportedNetOrACheckpointBeginsWhereItStoodAlsoWider) {
  const std::filesystem::path from = teacher();
  const std::filesystem::path net = export_net({from, folder_, {}}).file;
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 400);
  TrainSettings settings = small_settings(Variant::Crazyhouse, folder_ / "fresh");
  settings.config.epochs = 1;
  settings.config.result_weight = 0;
  train(settings, dataset, stop_);
  int number = 0;
  for (const auto& source : {from, net, from / kBestCheckpointName})
    for (int hidden : {16, 32}) {
      settings.from = source;
      settings.net.hidden = hidden;
      settings.out = folder_ / std::to_string(number++);
      train(settings, dataset, stop_);
      EXPECT_LT(first_loss(settings.out), 0.3 * first_loss(folder_ / "fresh"));
      const Checkpoint checkpoint = load_checkpoint(settings.out / kCheckpointName);
      EXPECT_EQ(checkpoint.net.architecture.hidden, hidden);
      EXPECT_NE(checkpoint.notes.at("started_from").find(", sha256 "), std::string::npos);
    }
}

TEST_F(TrainFrom, AKeptOptimiserGoesOnOtherwiseThanAFreshOne) {
  const std::filesystem::path from = teacher();
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 400);
  TrainSettings settings = small_settings(Variant::Crazyhouse, folder_ / "kept");
  settings.config.epochs = 1;
  settings.from = from / kBestCheckpointName;
  settings.keep_optimizer = true;
  train(settings, dataset, stop_);
  const FloatNet kept = load_checkpoint(settings.out / kCheckpointName).net;
  // Stopped and resumed, it is the same.
  settings.out = folder_ / "broken";
  std::atomic<bool> at_once{true};
  EXPECT_FALSE(train(settings, dataset, at_once).finished);
  train(settings, dataset, stop_);
  EXPECT_EQ(load_checkpoint(settings.out / kCheckpointName).net, kept);
  settings.out = folder_ / "fresh";
  settings.keep_optimizer = false;
  train(settings, dataset, stop_);
  EXPECT_NE(load_checkpoint(settings.out / kCheckpointName).net, kept);
}

TEST_F(TrainFrom, WhatCannotBeKeptOrReadIsToldInASentence) {
  const std::filesystem::path from = teacher();
  const std::filesystem::path net = export_net({from, folder_, {}}).file;
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 60);
  const auto fault = [&](const std::filesystem::path& source, bool keep, int hidden) {
    TrainSettings settings = small_settings(Variant::Crazyhouse, folder_ / "out");
    settings.from = source;
    settings.keep_optimizer = keep;
    settings.net.hidden = hidden;
    const std::string error = error_of([&] { train(settings, dataset, stop_); });
    EXPECT_EQ(error.find('\n'), std::string::npos);
    return error;
  };
  EXPECT_NE(fault(net, true, 16).find("leave out --keep-optimizer"), std::string::npos);
  EXPECT_NE(fault(from, true, 32).find("leave out --keep-optimizer"), std::string::npos);
  EXPECT_NE(fault(folder_ / "none", false, 16).find("does not exist"), std::string::npos);
  write_file_whole(folder_ / "other.fnn", "no net");
  EXPECT_NE(fault(folder_ / "other.fnn", false, 16).find("other.fnn"), std::string::npos);
}

TEST_F(TrainFrom, AnotherStartIsAnotherTraining) {
  const std::filesystem::path from = teacher();
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 60);
  TrainSettings settings = small_settings(Variant::Crazyhouse, folder_ / "out");
  settings.config.epochs = 1;
  train(settings, dataset, stop_);
  settings.from = from;
  EXPECT_NE(error_of([&] { train(settings, dataset, stop_); }).find("other settings"), std::string::npos);
}

}  // namespace
}  // namespace farrier
