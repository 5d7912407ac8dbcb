#include "trainer/run_config.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/nnue/net_file.h"

namespace farrier {
namespace {

namespace fs = std::filesystem;

bool has_games(const RunState& state) { return !state.generations.empty() && state.generations[0].data; }

/// The name, which is the folder's, the budget, and what nothing has been made of yet. Games on their way bind
/// [selfplay] by their own journal, a training on its way [train] by its checkpoint.
std::vector<std::string> open_sections(const RunState& state) {
  std::vector<std::string> sections{"name", "run"};
  if (!has_games(state)) sections.push_back("selfplay");
  if (state.generations.empty() || !state.generations[0].training)
    sections.insert(sections.end(), {"net", "train", "gate"});
  return sections;
}

int generation_in_hand(const RunState& state) {
  const int begun = static_cast<int>(state.generations.size());
  return begun == 0 || state.generations.back().gate ? begun : begun - 1;
}

/// What `now` changes of the experiment that the run follows; empty if nothing. Throws UserError if it may not.
std::string checked_change(const Experiment& before, const Experiment& now, const fs::path& frozen,
                           const RunState& state, bool change) {
  const std::string difference = experiment_difference(before, now, open_sections(state));
  if (difference.empty()) return difference;
  const std::string refusal = fmt::format("this run was begun with another configuration ({})", difference);
  if (!experiment_difference(before, now, {"name", "run", "selfplay", "net", "train", "gate"}).empty())
    throw UserError(frozen.string(), refusal + "; give the experiment another name, or remove the folder");
  if (!change)
    throw UserError(frozen.string(),
                    fmt::format("{}; give the experiment another name, or --change to follow it in what is "
                                "still to do, from generation {} on",
                                refusal, generation_in_hand(state)));
  return difference;
}

void record_change(const std::string& difference, const Experiment& before, const fs::path& folder,
                   RunState& state) {
  int n = 0;
  const auto copy = [&] { return folder / fmt::format("config-{:03}.toml", n); };
  while (fs::exists(copy())) ++n;
  write_file_whole(copy(), before.text);
  state.changes.push_back({generation_in_hand(state), difference});
  save_state(state, folder);
  fmt::print("changed, in what is still to do from generation {} on: {}; the settings before stay in {}\n",
             state.changes.back().generation, difference, copy().string());
}

/// A file of the run's own, and what has still to be written there.
struct OwnCopy {
  fs::path path;
  std::optional<std::string> bytes;

  void write() const {
    if (!bytes) return;
    require_folder(path.parent_path());
    write_file_whole(path, *bytes);
  }
};

/// Of the file that `setting` names, under `folder`. As long as no games were played, what becomes of that file is followed.
OwnCopy own_copy(std::string SelfplayConfig::*setting, const fs::path& folder, const Experiment& experiment,
                 const Experiment& before, const RunState& state) {
  const fs::path source = experiment.selfplay.*setting;
  if (source.empty()) return {};
  const fs::path copy = folder / source.filename();
  const bool same = before.selfplay.*setting == experiment.selfplay.*setting;
  if (same && fs::exists(copy) && (has_games(state) || !fs::exists(source))) return {copy, std::nullopt};
  return {copy, read_file(source)};
}

void require_net_for(Variant variant, const std::string& bytes, const std::string& source) {
  const Net net = parse_net(bytes, source);
  if (net.variant != variant)
    throw UserError(
        source, fmt::format("is a net for {}, and this run is for {}; give 'selfplay.first_net' one of the "
                            "same variant",
                            variant_name(net.variant), variant_name(variant)));
}

}  // namespace

RunInputs adopt_experiment(const Experiment& experiment, const fs::path& folder, RunState& state,
                           bool change) {
  const fs::path frozen = folder / "config.toml";
  const Experiment before = fs::exists(frozen) ? load_experiment(frozen) : experiment;
  const std::string difference = checked_change(before, experiment, frozen, state, change);
  const OwnCopy net = own_copy(&SelfplayConfig::first_net, folder / "first", experiment, before, state);
  const OwnCopy book = own_copy(&SelfplayConfig::book, folder / "book", experiment, before, state);
  if (net.bytes) require_net_for(experiment.variant, *net.bytes, experiment.selfplay.first_net);

  // All that can be wrong was looked for.
  if (!difference.empty()) record_change(difference, before, folder, state);
  net.write();
  book.write();
  write_file_whole(frozen, experiment.text);
  return {net.path, book.path};
}

}  // namespace farrier
