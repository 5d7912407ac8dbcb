// An experiment file: everything that a run depends on, parsed once into plain structs with defaults.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/nnue/architecture.h"
#include "engine/variants/variant.h"
#include "selfplay/loading/position_filters.h"
#include "trainer/loss.h"
#include "trainer/schedules.h"
#include "trainer/settings_difference.h"

namespace farrier {

constexpr int kMostGenerations = 100'000;

/// A setting that may change from one generation to the next: in TOML a value, or an array of one per
/// generation.
template <class T>
class PerGeneration {
 public:
  PerGeneration(T value) : values_{value} {}  // NOLINT: implicit, so that defaults read as values
  /// `values` must not be empty.
  explicit PerGeneration(std::vector<T> values) : values_(std::move(values)) {}

  /// The value of that generation (from 0); the last one holds for all later generations.
  T at(int generation) const {
    const auto i = static_cast<std::size_t>(generation);
    return i < values_.size() ? values_[i] : values_.back();
  }
  const std::vector<T>& values() const { return values_; }

 private:
  std::vector<T> values_;
};

/// [selfplay]: how the games of a generation are played.
struct SelfplayConfig {
  /// A net to go on from, given from where the run is started: generation 0 plays with it, and has to beat it.
  /// Empty: material.
  std::string first_net;
  PerGeneration<int> soft_nodes = 500;              // a move's search begins no iteration beyond this
  PerGeneration<std::int64_t> positions = 1000000;  // a generation ends with the game that reaches this
  // By the ply of the game: the limit of late_ply and beyond, reached evenly; 0: soft_nodes all along.
  PerGeneration<int> late_soft_nodes = 0;
  int late_ply = 80;
  double node_spread = 0;              // each move draws its limit within that share above and below
  int threads = 1;                     // of a game's search; with more than 1 games do not repeat
  double explore_share = 0;            // of plies: their move is drawn by lot from the best ones, and marked
  int explore_lines = 4;               // ... so many of them
  double explore_temperature_cp = 40;  // ... one that is worse by this is drawn e times less often
  int explore_max_loss_cp = 150;       // ... one that is worse by more never
  int explore_last_ply = 2000;         // ... and none from this ply on
  std::string book;     // EPD or PGN file of openings, from where the run is started; empty: none
  int book_plies = 16;  // taken from each game of a PGN
  int games_per_shard = 1000;
  int hash_mib = 8;            // of each worker
  int workers = 0;             // 0: one per core
  int material_noise_cp = 10;  // of the games without a net: equal moves are then not all played alike
  int random_plies = 7;        // one more on a coin flip; after the book, if there is one
  int opening_limit_cp = 600;  // openings that score beyond it are not played
  int adjudication_score_cp = 1000;
  int adjudication_plies = 6;     // that many plies in a row at that score end a game; 0: never
  double played_out_share = 0.1;  // of games that are never adjudicated
};

/// [net]: the shape of the nets.
struct NetConfig {
  PerGeneration<int> hidden = 64;
  Architecture shape;  // all of it but `hidden`

  Architecture at(int generation) const {
    Architecture architecture = shape;
    architecture.hidden = hidden.at(generation);
    return architecture;
  }
};

/// [train]: how a net is fitted.
struct TrainConfig {
  PerGeneration<int> epochs = 20;
  int batch = 4096;
  double lr = 1e-3;      // after the warm-up
  double lr_end = 2e-6;  // at the end of the cosine
  int warmup_steps = 100;
  std::vector<LrPhase> lr_schedule;  // in the place of these three; empty: these three
  // AdamW's.
  double weight_decay = 0.01;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double max_grad_norm = 0;                   // longer gradients are scaled down to it; 0: none is
  PerGeneration<double> result_weight = 0.3;  // target = w * result + (1 - w) * sigmoid(score / scale)
  // w at the training's end, approached step by step from result_weight, and that of the validation loss.
  std::optional<PerGeneration<double>> result_weight_end;
  Loss loss;
  int scale_cp = 0;                // 0: fitted to the data
  double validation_share = 0.05;  // of games, never of positions
  int patience = 0;                // epochs without a better validation loss before it stops; 0: never
  PerGeneration<int> window = 2;   // learn from the data of that many last generations
  PerGeneration<double> older_weight = 1.0;  // of those before the last: 0.5 uses half of their games
  int threads = 0;                           // 0: one per core
  PositionFilters filters;
};

/// [gate]: the match that a new net has to win.
struct GateConfig {
  int nodes = 500;
  int games = 400;             // at most
  std::optional<double> elo0;  // with both, a sequential test may end the match early
  std::optional<double> elo1;
};

/// [run]: the budget of the loop; whichever is spent first ends it.
struct RunConfig {
  int generations = 3;
  double hours = 24;
};

struct Experiment {
  std::string name;  // of the folder under runs/
  Variant variant = Variant::Chess;
  std::uint64_t seed = 1;
  SelfplayConfig selfplay;
  NetConfig net;
  TrainConfig train;
  GateConfig gate;
  RunConfig run;
  std::string text;  // the file as it was read, to be frozen with a run
};

/// The settings that the file gives, by their full names and as TOML writes them: "train.lr" is "0.001". All, or those of
/// one section.
SettingsByName settings_of(const Experiment& experiment);
SettingsByName settings_of(const Experiment& experiment, const std::string& section);

/// Reads an experiment file. Throws UserError: one sentence with file, line and the fault; for an unknown key
/// the nearest known one.
Experiment load_experiment(const std::filesystem::path& path);
/// The same from text; `origin` stands for the file name in errors.
Experiment parse_experiment(const std::string& text, const std::string& origin);

}  // namespace farrier
