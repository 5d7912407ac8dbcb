#include "trainer/config.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/error.h"
#include "tests/trainer/training_testing.h"

namespace farrier {
namespace {

std::string fault_in(const std::string& text) {
  return error_of([&] { parse_experiment(text, "my.toml"); });
}

TEST(Config, AnAlmostEmptyFileTakesDefaultsAndItsNameFromTheFile) {
  const Experiment e = parse_experiment("variant = 'knightmate'\n", "configs/first-try.toml");
  EXPECT_EQ(e.name, "first-try");
  EXPECT_EQ(e.variant, Variant::Knightmate);
  EXPECT_EQ(e.train.batch, 4096);
  EXPECT_FALSE(e.gate.elo0.has_value());
}

TEST(Config, AnUnknownKeyNamesFileLineAndTheNearKey) {
  EXPECT_EQ(fault_in("variant = 'chess'\n[train]\nepocs = 3\n"),
            "my.toml:3: unknown key 'epocs' in [train]; did you mean 'epochs'?");
  EXPECT_EQ(fault_in("variant = 'chess'\n[selfply]\n"),
            "my.toml:2: unknown key 'selfply' at the top level; did you mean 'selfplay'?");
  EXPECT_EQ(fault_in("name = 'x'\nvarient = 'chess'\n"),
            "my.toml:2: unknown key 'varient' at the top level; did you mean 'variant'?");
}

TEST(Config, AKeyOfAnotherSectionIsNamedWithIts) {
  EXPECT_EQ(fault_in("variant = 'chess'\nlr = 1e-3\n"),
            "my.toml:2: unknown key 'lr' at the top level; did you mean 'train.lr'?");
  EXPECT_EQ(
      fault_in("variant = 'chess'\n[train]\nminutes = 1\n[run]\nmirror = true\n"),
      "my.toml:3: unknown key 'minutes' in [train]; the keys there are batch, beta1, beta2, epochs, epsilon, "
      "filters, "
      "loss, loss_power, lr, lr_end, lr_schedule, max_grad_norm, older_weight, patience, result_weight, "
      "result_weight_end, scale_cp, threads, validation_share, warmup_steps, weight_decay, window");
  EXPECT_EQ(fault_in("variant = 'chess'\n[run]\nmirror = true\n"),
            "my.toml:3: unknown key 'mirror' in [run]; did you mean 'net.mirror'?");
  EXPECT_EQ(fault_in("variant = 'chess'\n[train]\nhours = 1\n"),
            "my.toml:3: unknown key 'hours' in [train]; did you mean 'run.hours'?");
  EXPECT_EQ(fault_in("variant = 'chess'\n[train]\nseed = 1\n"),
            "my.toml:3: unknown key 'seed' in [train]; 'seed' belongs to the top level");
}

TEST(Config, AWeightDecayThatWouldTurnWeightsRoundIsRefused) {
  EXPECT_NE(fault_in("variant = 'chess'\n[train]\nlr = 0.3\nlr_end = 0.1\nweight_decay = 10\n")
                .find("my.toml:5: 'train.weight_decay' times the highest learning rate is 3"),
            std::string::npos);
  EXPECT_NE(
      fault_in(
          "variant = 'chess'\n[train]\nweight_decay = 2\n[[train.lr_schedule]]\nkind = 'linear'\nstart = "
          "0.1\nend = 0.5\n")
          .find("is 1:"),
      std::string::npos);
  EXPECT_NO_THROW(parse_experiment("variant = 'chess'\n[train]\nlr = 0.09\nweight_decay = 10\n", "my.toml"));
}

TEST(Config, AValueOutOfRangeOrOfTheWrongTypeNamesFileAndLine) {
  EXPECT_EQ(fault_in("variant = 'chess'\n\n[train]\nbatch = 0\n"),
            "my.toml:4: 'train.batch' is 0, but must lie between 1 and 1000000");
  EXPECT_EQ(fault_in("variant = 'chess'\n[train]\nlr = 'fast'\n"), "my.toml:3: 'train.lr' must be a number");
  EXPECT_EQ(fault_in("variant = 'chess'\n[net]\nhidden = 50\n").substr(0, 29),
            "my.toml:3: 'net.hidden' is 50");
  EXPECT_EQ(fault_in("variant = 'chess'\n[gate]\nelo0 = 0\n").substr(0, 10), "my.toml:3:");
  EXPECT_EQ(fault_in("variant = 'chess'\n[gate]\ngames = 21\n"),
            "my.toml:3: 'gate.games' (21) must be even: openings are played with both colours");
}

TEST(Config, AnUnknownOrMissingVariantListsTheKnownOnes) {
  EXPECT_EQ(fault_in("variant = 'atomic'\n"),
            "my.toml:1: unknown variant 'atomic'; it is one of chess, crazyhouse, knightmate, pocketknight");
  EXPECT_NE(fault_in("seed = 3\n").find("crazyhouse"), std::string::npos);
}

TEST(Config, BrokenTomlNamesFileAndLine) {
  EXPECT_EQ(fault_in("variant = 'chess'\n[train\n").substr(0, 10), "my.toml:2:");
}

TEST(Config, AMissingFileIsNamed) {
  EXPECT_NE(error_of([] { load_experiment("no/such.toml"); }).find("no/such.toml"), std::string::npos);
}

TEST(Config, AnArrayGivesOneValueAGenerationAndTheLastOneAfterwards) {
  const Experiment e = parse_experiment(
      "variant = 'chess'\n[net]\nhidden = 32\n[train]\nresult_weight = [0.6, 0.25]\n", "a.toml");
  EXPECT_EQ(e.train.result_weight.at(0), 0.6);
  EXPECT_EQ(e.train.result_weight.at(1), 0.25);
  EXPECT_EQ(e.train.result_weight.at(7), 0.25);
  EXPECT_EQ(e.net.hidden.at(0), 32);
  EXPECT_EQ(e.net.hidden.at(3), 32);
}

TEST(Config, EveryConfigurationOfTheRepositoryIsValid) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FARRIER_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(load_experiment(entry.path())) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 5);
}

TEST(Config, ReadsANetsArchitecture) {
  const Experiment e = parse_experiment(
      "variant = 'crazyhouse'\n[net]\nhidden = [32, 64]\nmirror = true\npromoted = false\n"
      "activation = 'pairwise'\nlayers = [16, 32]\nhand_buckets = [1, 3]\nboard_buckets = 20\n",
      "a.toml");
  const Architecture a = e.net.at(1);
  EXPECT_EQ(a.hidden, 64);
  EXPECT_TRUE(a.features.mirror);
  EXPECT_FALSE(a.features.promoted);
  EXPECT_EQ(a.activation, Activation::Pairwise);
  EXPECT_EQ(a.layers, (std::vector<int>{16, 32}));
  EXPECT_EQ(a.output_buckets(), 6);
  EXPECT_EQ(a.output_bucket(19, 0), 0);
  EXPECT_EQ(a.output_bucket(20, 0), 3);
  EXPECT_EQ(a.output_bucket(32, 9), 5);
}

TEST(Config, AnEmptyArrayMeansNoBucketsOrLayersAndNothingElsewhere) {
  const Experiment e = parse_experiment(
      "variant = 'chess'\n[net]\nking_buckets = []\nlayers = []\nboard_buckets = []\nhand_buckets = []\n",
      "a.toml");
  EXPECT_EQ(e.net.at(0), parse_experiment("variant = 'chess'\n", "a.toml").net.at(0));
  EXPECT_NE(fault_in("variant = 'chess'\n[train]\nepochs = []\n").find("leave it out"), std::string::npos);
}

TEST(Config, ArchitecturesThatCannotBePlayedAreRefusedWithTheKey) {
  const auto fault = [](const std::string& variant, const std::string& line) {
    return fault_in("variant = '" + variant + "'\n[net]\n" + line + "\n");
  };
  EXPECT_EQ(fault("chess", "layers = [16, 16, 16]"),
            "my.toml:3: 'net.layers' is 16, 16, 16; give at most two widths of 8, 16, 32, 64");
  EXPECT_EQ(fault("chess", "hand_buckets = [3]").substr(0, 61),
            "my.toml:3: 'net.hand_buckets' has no sense in chess, where no");
  EXPECT_EQ(fault("chess", "board_buckets = [9, 5]"),
            "my.toml:3: 'net.board_buckets' is 9, 5; give ascending numbers of men from 1 to 34");
  EXPECT_EQ(fault("chess", "activation = 'relu'"),
            "my.toml:3: 'net.activation' is 'relu'; it is one of crelu, screlu or pairwise");
  EXPECT_EQ(fault("chess", "king_buckets = [0, 1]").substr(0, 43),
            "my.toml:3: 'net.king_buckets' has 2 numbers");
  std::string lopsided = "mirror = true\nking_buckets = [0";
  for (int square = 1; square < 64; ++square) lopsided += ", 1";
  EXPECT_NE(fault("chess", lopsided + "]").find("alike on both halves"), std::string::npos);
  EXPECT_EQ(fault_in("variant = 'chess'\n[train]\nhidden = 32\n"),
            "my.toml:3: 'train.hidden' has become 'net.hidden'; move it under [net]");
}

}  // namespace
}  // namespace farrier
