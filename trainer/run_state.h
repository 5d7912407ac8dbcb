// Where a run stands: a small JSON file that is always whole, and the words that it is told in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/variants/variant.h"
#include "trainer/settings_difference.h"

namespace farrier {

/// A match as the state keeps it, seen from the new net.
struct MatchNote {
  std::int64_t wins = 0;
  std::int64_t draws = 0;
  std::int64_t losses = 0;
  std::string elo;  // "Elo +55.6 +- 27.7 (95%), ...", or in words why there is no figure
  bool won = false;
};

/// What a generation has made so far; a stage that has not ended is absent.
struct GenerationState {
  struct Data {
    std::uint64_t games = 0;
    std::uint64_t positions = 0;
    std::uint64_t white_wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t black_wins = 0;
    double bytes_per_position = 0;
  };
  struct Training {
    int hidden = 0;
    int epochs = 0;
    std::int64_t positions = 0;  // of the training part, from all data in the window
    int scale_cp = 0;
    double validation_loss = 0;
  };

  std::string player;  // the net that played the games, "material" for none
  std::optional<Data> data;
  std::optional<Training> training;
  std::string net;  // file in the generation's folder, empty before the export
  double float_error_cp = 0;
  std::optional<MatchNote> gate;
  /// Of each section that a stage followed, once that has ended: "selfplay", "net", "train", "gate".
  std::map<std::string, SettingsByName> settings;
  double seconds = 0;  // spent on it, over all sessions
};

struct RunState {
  std::string name;  // that the run was begun with
  Variant variant = Variant::Chess;
  std::uint64_t seed = 1;
  std::vector<GenerationState> generations;
  int best = -1;  // the generation whose net is the best so far, -1 for material
  /// The best net against material, the last thing that a run does.
  std::optional<MatchNote> final_match;
  int final_generation = -1;  // whose net that was
  int gate_nodes = 0;         // a move, in that match

  bool begun() const { return !name.empty(); }
  /// The final match of the best net there is.
  bool has_final_match() const { return final_match && final_generation == best; }
  double seconds() const;
};

/// Reads `state.json` of a run's folder; a fresh state if there is none. Throws UserError for a damaged file.
RunState load_state(const std::filesystem::path& folder);
/// Writes it whole. Throws UserError.
void save_state(const RunState& state, const std::filesystem::path& folder);

/// runs/NAME/gen-003
std::filesystem::path generation_folder(const std::filesystem::path& folder, int generation);
/// The best net so far; empty for material.
std::filesystem::path best_net(const RunState& state, const std::filesystem::path& folder);

}  // namespace farrier
