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
  EXPECT_EQ(fault_in("variant = 'chess'\n[train.filters]\nquiet = true\n").substr(0, 54),
            "my.toml:3: unknown key 'quiet' in [train.filters]; did");
}

TEST(Config, AValueOutOfRangeOrOfTheWrongTypeNamesFileAndLine) {
  EXPECT_EQ(fault_in("variant = 'chess'\n\n[train]\nbatch = 0\n"),
            "my.toml:4: 'train.batch' is 0, but must lie between 1 and 1000000");
  EXPECT_EQ(fault_in("variant = 'chess'\n[train]\nlr = 'fast'\n"), "my.toml:3: 'train.lr' must be a number");
  EXPECT_EQ(fault_in("variant = 'chess'\n[train]\nhidden = 50\n").substr(0, 31),
            "my.toml:3: 'train.hidden' is 50");
  EXPECT_EQ(fault_in("variant = 'chess'\n[gate]\nelo0 = 0\n").substr(0, 10), "my.toml:3:");
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
  const Experiment e =
      parse_experiment("variant = 'chess'\n[train]\nresult_weight = [0.6, 0.25]\nhidden = 32\n", "a.toml");
  EXPECT_EQ(e.train.result_weight.at(0), 0.6);
  EXPECT_EQ(e.train.result_weight.at(1), 0.25);
  EXPECT_EQ(e.train.result_weight.at(7), 0.25);
  EXPECT_EQ(e.train.hidden.at(0), 32);
  EXPECT_EQ(e.train.hidden.at(3), 32);
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

}  // namespace
}  // namespace farrier
