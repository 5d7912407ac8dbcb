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
  /// A generation that was made with `e`, up to its games or to its end.
  void finish_games(const Experiment& e) {
    GenerationState& generation = state_.generations.emplace_back();
    generation.data.emplace();
    generation.settings["selfplay"] = settings_of(e, "selfplay");
  }
  void finish_generation(const Experiment& e) {
    finish_games(e);
    GenerationState& generation = state_.generations.back();
    generation.training.emplace();
    generation.gate.emplace();
    for (const char* section : {"net", "train", "gate"})
      generation.settings[section] = settings_of(e, section);
  }

  RunState state_;
};

TEST_F(RunConfig, ChangedSettingsAreNamedWithTheWayToGoOn) {
  const Experiment first = experiment("[train]\nlr = 0.003\n[run]\ngenerations = 2\n");
  adopt(first);
  finish_generation(first);
  EXPECT_EQ(refusal_of(experiment("[train]\nlr = 0.001\nepochs = [3, 4]\n")),
            folder_.string() +
                ": this run was begun with another configuration (train.epochs: then nothing, now [3, 4]; "
                "train.lr: then 0.003, now 0.001); give the experiment another name, or --change to follow "
                "it in what is still to do");
  EXPECT_EQ(load_experiment(folder_ / "config.toml").train.lr, 0.003);
  adopt(experiment("[train]\nlr = 0.003\n[run]\nhours = 2\n"));
}

TEST_F(RunConfig, AChangeIsToldOfTheGenerationThatWasMadeWithIt) {
  const Experiment first = experiment("[train]\nlr = 0.002\n");
  adopt(first);
  finish_generation(first);
  const Experiment second = experiment("[train]\nlr = 0.001\n[selfplay]\nsoft_nodes = 99\n");
  adopt(second, true);
  EXPECT_TRUE(has(refusal_of(second), "--change")) << "nothing was made with it yet";
  finish_games(second);
  EXPECT_EQ(change_in(state_, 1), "selfplay.soft_nodes: then nothing, now 99");
  EXPECT_TRUE(has(refusal_of(first), "(selfplay.soft_nodes: then 99, now nothing)"));
  adopt(experiment("[selfplay]\nsoft_nodes = 99\n[train]\nlr = 0.002\n"));
  state_.generations.pop_back();
  finish_generation(second);
  save_state(state_, folder_);
  const RunState saved = load_state(folder_);
  EXPECT_EQ(change_in(saved, 0), "");
  EXPECT_EQ(change_in(saved, 1),
            "selfplay.soft_nodes: then nothing, now 99; train.lr: then 0.002, now 0.001");
}

TEST_F(RunConfig, VariantSeedAndThenTheFirstNetNeverChange) {
  adopt(experiment("seed = 3"));
  EXPECT_TRUE(has(refusal_of(experiment("seed = 4"), true),
                  "(seed: then 3, now 4); give the experiment another name"));
  std::filesystem::remove(folder_ / "config.toml");
  const Experiment other = parse_experiment("name = 'run'\nvariant = 'knightmate'\nseed = 3", "run.toml");
  EXPECT_TRUE(has(refusal_of(other, true), "(variant: then chess, now knightmate)"));
  finish_games(experiment("seed = 3"));
  EXPECT_TRUE(has(refusal_of(experiment("seed = 3\n[selfplay]\nfirst_net = 'x.fnn'"), true),
                  "(selfplay.first_net: then nothing, now "));
}

TEST_F(RunConfig, SpellingADefaultOutOrAnotherNameIsNoOtherSeed) {
  adopt(experiment(""));
  finish_games(experiment(""));
  adopt(parse_experiment("name = 'renamed'\nvariant = 'chess'\nseed = 1\n", "run.toml"));
  EXPECT_EQ(state_.name, "run");
}

TEST_F(RunConfig, WhatNothingWasMadeOfChangesWithoutAWord) {
  adopt(experiment("[train]\nlr = 0.002\n"));
  const Experiment second = experiment("[train]\nlr = 0.001\n[selfplay]\nsoft_nodes = 99\n");
  adopt(second);
  finish_games(second);
  adopt(experiment("[train]\nlr = 0.003\n[selfplay]\nsoft_nodes = 99\n"));
  EXPECT_TRUE(has(refusal_of(experiment("[selfplay]\nsoft_nodes = 98\n[train]\nlr = 0.003\n")),
                  "(selfplay.soft_nodes: then 99, now 98)"));
}

class BookOfARun : public RunConfig {
 protected:
  /// A book of one opening, whose name stands in it.
  void write_book(const std::filesystem::path& path, const std::string& name) {
    require_folder(path.parent_path());
    write_file_whole(path, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"" + name + "\";\n");
  }
  static Experiment with_book(const std::filesystem::path& book) {
    return experiment("[selfplay]\nbook = '" + book.string() + "'\n");
  }
  std::string adopted(const Experiment& e, bool change = false) {
    const std::string text = read_file(adopt(e, change).book);
    const std::size_t start = text.find('"') + 1;
    return text.substr(start, text.find('"', start) - start);
  }
};

TEST_F(BookOfARun, OutlivesTheFile) {
  const std::filesystem::path book = folder_ / "openings.epd";
  const Experiment e = with_book(book);
  EXPECT_TRUE(has(refusal_of(e), book.string()));
  write_book(book, "first");
  EXPECT_EQ(adopted(e), "first");
  write_book(book, "second");
  EXPECT_EQ(adopted(e), "second") << "no games were played from it yet";
  finish_games(e);
  write_book(book, "third");
  EXPECT_EQ(adopted(e), "second");
  std::filesystem::remove(book);
  EXPECT_EQ(adopted(e), "second");
}

TEST_F(BookOfARun, IsNoOtherOfTheSameFileName) {
  const Experiment a = with_book(folder_ / "a/openings.epd"), b = with_book(folder_ / "b/openings.epd");
  write_book(folder_ / "a/openings.epd", "a");
  write_book(folder_ / "b/openings.epd", "b");
  EXPECT_EQ(adopted(a), "a");
  finish_games(a);
  EXPECT_TRUE(has(refusal_of(with_book(folder_ / "c/openings.epd"), true), "c/openings.epd"));
  EXPECT_EQ(adopted(b, true), "b");
  EXPECT_EQ(adopted(a), "a") << "nothing was made with the other";
}

TEST_F(BookOfARun, ThatCannotBeReadChangesNothing) {
  write_file_whole(folder_ / "bad.epd", "rubbish\n");
  adopt(experiment(""));
  finish_games(experiment(""));
  EXPECT_TRUE(has(refusal_of(with_book(folder_ / "bad.epd"), true), (folder_ / "bad.epd").string()));
  EXPECT_TRUE(load_experiment(folder_ / "config.toml").selfplay.book.empty());
  write_book(folder_ / "bad.epd", "mended");
  EXPECT_EQ(adopted(with_book(folder_ / "bad.epd"), true), "mended");
}

TEST_F(RunConfig, AFirstNetOfAnotherVariantIsRefused) {
  const std::filesystem::path net = folder_ / "other.fnn";
  write_net(*quantise(random_net(Variant::Knightmate, 16, 6), Variant::Knightmate, 300), net);
  EXPECT_TRUE(has(refusal_of(experiment("[selfplay]\nfirst_net = '" + net.string() + "'\n")),
                  "is a net for knightmate, and this run is for chess"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "config.toml"));
}

}  // namespace
}  // namespace farrier
