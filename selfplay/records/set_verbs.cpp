// The verbs `data merge` and `data split`.
#include <memory>

#include <fmt/format.h>

#include "selfplay/games/option_checks.h"
#include "selfplay/games/stop_signal.h"
#include "selfplay/records/data_verbs.h"
#include "selfplay/records/merge.h"

namespace farrier {
namespace {

void add_merge_verb(CLI::App& data) {
  auto settings = std::make_shared<MergeSettings>();
  CLI::App* verb = data.add_subcommand("merge", "Makes one set of the shards of several runs and machines");
  verb->footer(
      "Games that stand twice are left out; shards of one run that differ are refused; what else differs is "
      "told. The order of the sources does not matter.");
  verb->add_option("sources", settings->sources, "Folders of shards, or shards")->required();
  verb->add_option("--out", settings->out, "The new folder")->required();
  verb->add_flag("--keep-clashes", settings->keep_clashes,
                 "Take both of two shards that tell the same games of a run differently");
  verb->add_option("--workers", settings->workers, "Threads; 0: as many as there are cores")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->callback(
      [settings] { fmt::print("{}", merge_text(*settings, merge_data(*settings, stop_on_signals()))); });
}

void add_split_verb(CLI::App& data) {
  auto settings = std::make_shared<SplitSettings>();
  CLI::App* verb =
      data.add_subcommand("split", "Splits a set by game in two, for training and validation say");
  verb->footer(
      "A part is decided by a game's content and the seed alone: the same on every machine, and games that "
      "went alike stay together.");
  verb->add_option("sources", settings->sources, "Folders of shards, or shards")->required();
  verb->add_option("--out", settings->out, "The new folder of the part asked for")->required();
  verb->add_option("--rest", settings->rest, "The new folder of all other games")->required();
  verb->add_option("--share", settings->share, "How much of the games goes to --out, 0 to 1");
  verb->add_option("--games", settings->games, "... or how many games")->check(CLI::PositiveNumber);
  verb->add_option("--seed", settings->seed, "Other seeds draw other games")
      ->check(not_negative())
      ->capture_default_str();
  verb->callback(
      [settings] { fmt::print("{}", split_text(*settings, split_data(*settings, stop_on_signals()))); });
}

}  // namespace

void add_set_verbs(CLI::App& data) {
  add_merge_verb(data);
  add_split_verb(data);
}

}  // namespace farrier
