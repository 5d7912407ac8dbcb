// What a run keeps of its experiment, and how that may change on the way.
#include "trainer/run_config.h"

#include "engine/base/files.h"
#include "tests/trainer/random_float_net.h"
#include "tests/trainer/training_testing.h"
#include "trainer/quantise.h"

namespace farrier {
namespace {

class RunConfig : public FolderTest {
 protected:
  static Experiment experiment(const std::string& settings) {
    return parse_experiment("name = 'run'\nvariant = 'chess'\n" + settings, "run.toml");
  }
  RunInputs adopt(const Experiment& e, bool change = false) {
    return adopt_experiment(e, folder_, state_, change);
  }
  std::string refusal_of(const Experiment& e, bool change = false) {
    return error_of([&] { adopt(e, change); });
  }
  /// A generation that has been finished.
  void finish_generation() {
    GenerationState& generation = state_.generations.emplace_back();
    generation.data.emplace();
    generation.training.emplace();
    generation.gate.emplace();
  }

  RunState state_;
};

TEST_F(RunConfig, ChangedSettingsAreNamedWithTheWayToGoOn) {
  finish_generation();
  adopt(experiment("[train]\nlr = 0.002\n[run]\ngenerations = 2\n"));
  EXPECT_EQ(refusal_of(experiment("[train]\nlr = 0.001\nepochs = 3\n")),
            (folder_ / "config.toml").string() +
                ": this run was begun with another configuration (train.epochs: then nothing, now 3; "
                "train.lr: then 0.002, now 0.001); give the experiment another name, or --change to follow "
                "it in what is still to do, from generation 1 on");
  EXPECT_EQ(load_experiment(folder_ / "config.toml").train.lr, 0.002);
  EXPECT_TRUE(state_.changes.empty());
}

TEST_F(RunConfig, AChangeThatIsAskedForIsFollowedAndTold) {
  finish_generation();
  adopt(experiment("[train]\nlr = 0.002\n"));
  state_.generations.emplace_back();  // generation 1 has been begun
  adopt(experiment("[train]\nlr = 0.001\n"), true);
  adopt(experiment("[train]\nlr = 0.001\n"), true);  // the same command again
  adopt(experiment("[train]\nlr = 0.001\n[gate]\ngames = 10\n"), true);
  EXPECT_EQ(load_experiment(folder_ / "config-000.toml").train.lr, 0.002);
  EXPECT_EQ(load_experiment(folder_ / "config-001.toml").gate.games, 400);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "config-002.toml"));
  EXPECT_EQ(load_experiment(folder_ / "config.toml").gate.games, 10);
  const RunState saved = load_state(folder_);
  ASSERT_EQ(saved.changes.size(), 2U);
  EXPECT_EQ(saved.changes[0].generation, 1);
  EXPECT_EQ(saved.changes[0].text, "train.lr: then 0.002, now 0.001");
  EXPECT_EQ(saved.changes[1].text, "gate.games: then nothing, now 10");
}

TEST_F(RunConfig, VariantAndSeedNeverChange) {
  adopt(experiment("seed = 3"));
  EXPECT_TRUE(has(refusal_of(experiment("seed = 4"), true),
                  "(seed: then 3, now 4); give the experiment another name"));
  const Experiment other = parse_experiment("name = 'run'\nvariant = 'knightmate'\nseed = 3", "run.toml");
  EXPECT_TRUE(has(refusal_of(other, true), "(variant: then "));
}

TEST_F(RunConfig, WhatNothingWasMadeOfChangesWithoutAWord) {
  adopt(experiment("[train]\nlr = 0.002\n"));
  adopt(experiment("[train]\nlr = 0.001\n[selfplay]\nsoft_nodes = 99\n"));
  state_.generations.emplace_back().data.emplace();
  adopt(experiment("[train]\nlr = 0.003\n[selfplay]\nsoft_nodes = 99\n"));
  EXPECT_TRUE(has(refusal_of(experiment("[selfplay]\nsoft_nodes = 98\n[train]\nlr = 0.003\n")),
                  "(selfplay.soft_nodes: then 99, now 98)"));
  EXPECT_TRUE(state_.changes.empty());
}

TEST_F(RunConfig, TheRunsOwnBookOutlivesTheFile) {
  const std::filesystem::path book = folder_ / "openings.epd";
  const Experiment e = experiment("[selfplay]\nbook = '" + book.string() + "'\n");
  EXPECT_TRUE(has(refusal_of(e), book.string()));
  write_file_whole(book, "first");
  EXPECT_EQ(read_file(adopt(e).book), "first");
  write_file_whole(book, "second");
  EXPECT_EQ(read_file(adopt(e).book), "second") << "no games were played from it yet";
  finish_generation();
  write_file_whole(book, "third");
  EXPECT_EQ(read_file(adopt(e).book), "second");
  std::filesystem::remove(book);
  EXPECT_EQ(read_file(adopt(e).book), "second");
}

TEST_F(RunConfig, ANewPathOfTheSameFileNameIsReadAnew) {
  for (const char* place : {"a", "b"}) {
    std::filesystem::create_directory(folder_ / place);
    write_file_whole(folder_ / place / "openings.epd", place);
  }
  const auto with_book = [&](const char* place) {
    return experiment("[selfplay]\nbook = '" + (folder_ / place / "openings.epd").string() + "'\n");
  };
  finish_generation();
  EXPECT_EQ(read_file(adopt(with_book("a")).book), "a");
  EXPECT_TRUE(has(refusal_of(with_book("c"), true), "c/openings.epd"));
  EXPECT_TRUE(state_.changes.empty());
  EXPECT_EQ(read_file(adopt(with_book("b"), true).book), "b");
}

TEST_F(RunConfig, AFirstNetOfAnotherVariantChangesNothing) {
  const std::filesystem::path net = folder_ / "other.fnn";
  write_net(*quantise(random_net(Variant::Knightmate, 16, 6), Variant::Knightmate, 300), net);
  finish_generation();
  adopt(experiment(""));
  EXPECT_TRUE(has(refusal_of(experiment("[selfplay]\nfirst_net = '" + net.string() + "'\n"), true),
                  "is a net for knightmate, and this run is for chess"));
  EXPECT_TRUE(load_experiment(folder_ / "config.toml").selfplay.first_net.empty());
  EXPECT_TRUE(state_.changes.empty());
}

}  // namespace
}  // namespace farrier
