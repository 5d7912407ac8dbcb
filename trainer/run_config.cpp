#include "trainer/run_config.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/nnue/net_file.h"
#include "selfplay/data/file_hash.h"
#include "selfplay/match/selfplay_book.h"

namespace farrier {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSections{"selfplay", "net", "train", "gate"};
constexpr const char* kFirstNet = "selfplay.first_net";

bool has_games(const RunState& state) { return !state.generations.empty() && state.generations[0].data; }

/// What that section was when something was last made with it before generation `g`; null if nothing was.
const SettingsByName* last_followed(const RunState& state, std::size_t g, const std::string& section) {
  while (g-- > 0) {
    const auto found = state.generations[g].settings.find(section);
    if (found != state.generations[g].settings.end()) return &found->second;
  }
  return nullptr;
}

/// What the experiment changes of that with which something was made; empty if nothing.
std::string difference_to_made(const Experiment& experiment, const RunState& state) {
  SettingsByName then, now;
  for (const char* section : kSections) {
    const SettingsByName* made = last_followed(state, state.generations.size(), section);
    if (made == nullptr) continue;
    then.insert(made->begin(), made->end());
    now.merge(settings_of(experiment, section));
  }
  return settings_difference(then, now);
}

/// What may never change: "selfplay.first_net" only once something was played with it.
SettingsByName identity(Variant variant, std::uint64_t seed, const SettingsByName* selfplay) {
  SettingsByName settings{{"variant", std::string(variant_name(variant))}, {"seed", std::to_string(seed)}};
  if (selfplay != nullptr && selfplay->contains(kFirstNet)) settings[kFirstNet] = selfplay->at(kFirstNet);
  return settings;
}

/// The changes that would make another run of it.
std::string difference_for_good(const Experiment& experiment, const RunState& state) {
  const SettingsByName* made = last_followed(state, state.generations.size(), "selfplay");
  const SettingsByName now = settings_of(experiment, "selfplay");
  return settings_difference(identity(state.variant, state.seed, made),
                             identity(experiment.variant, experiment.seed, made == nullptr ? nullptr : &now));
}

void check_change(const Experiment& experiment, const fs::path& folder, const RunState& state, bool change) {
  if (!state.begun()) return;
  const auto refuse = [&](const std::string& difference, const char* remedy) {
    throw UserError(folder.string(),
                    fmt::format("this run was begun with another configuration ({}); give the "
                                "experiment another name{}",
                                difference, remedy));
  };
  if (const auto difference = difference_for_good(experiment, state); !difference.empty())
    refuse(difference, ", or remove the folder");
  const std::string difference = difference_to_made(experiment, state);
  if (difference.empty()) return;
  if (!change) refuse(difference, ", or --change to follow it in what is still to do");
  fmt::print("changed, for what is still to do: {}\n", difference);
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

/// In a place that only this source has. As long as no games were played, what becomes of that file is followed.
OwnCopy own_copy(const std::string& source, const fs::path& folder, const RunState& state) {
  if (source.empty()) return {};
  const fs::path copy = folder / "inputs" / sha256_hex(source).substr(0, 8) / fs::path(source).filename();
  if (fs::exists(copy) && (has_games(state) || !fs::exists(source))) return {copy, std::nullopt};
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

void require_book_for(Variant variant, const SelfplayConfig& config) {
  SelfplaySettings settings;
  settings.variant = variant;
  read_selfplay_book(config.book, config.book_plies, settings);
}

}  // namespace

RunInputs adopt_experiment(const Experiment& experiment, const fs::path& folder, RunState& state,
                           bool change) {
  check_change(experiment, folder, state, change);
  const SelfplayConfig& config = experiment.selfplay;
  const OwnCopy net = own_copy(config.first_net, folder, state);
  const OwnCopy book = own_copy(config.book, folder, state);
  if (net.bytes) require_net_for(experiment.variant, *net.bytes, config.first_net);
  if (book.bytes) require_book_for(experiment.variant, config);

  net.write();
  book.write();
  if (!state.begun()) state.name = experiment.name;
  state.variant = experiment.variant;
  state.seed = experiment.seed;
  save_state(state, folder);
  write_file_whole(folder / "config.toml", experiment.text);
  return {net.path, book.path};
}

std::string change_in(const RunState& state, std::size_t g) {
  SettingsByName then, now;
  for (const auto& [section, settings] : state.generations[g].settings) {
    const SettingsByName* before = last_followed(state, g, section);
    if (before == nullptr) continue;
    then.insert(before->begin(), before->end());
    now.insert(settings.begin(), settings.end());
  }
  return settings_difference(then, now);
}

}  // namespace farrier
