#include "trainer/sweep.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/core.h>
#include <oneapi/tbb/task_arena.h>
#include <spdlog/spdlog.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/rng.h"
#include "selfplay/data/folder_lock.h"
#include "selfplay/games/progress_line.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/export.h"
#include "trainer/net_match.h"
#include "trainer/pipeline.h"
#include "trainer/starting_point.h"

namespace farrier {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using State = SweepResult::State;

constexpr const char* kLockName = "sweep.lock";
constexpr std::uint64_t kSweepStream = 0x53EE9;

const char* state_name(State state) {
  switch (state) {
    case State::Waiting:
      return "waiting";
    case State::Stopped:
      return "stopped";
    case State::Finished:
      return "finished";
    case State::Failed:
      break;
  }
  return "failed";
}

/// Whether both learn from the same positions of the same games.
bool sees_the_same(const TrainConfig& a, const TrainConfig& b) {
  return a.filters == b.filters && a.validation_share == b.validation_share;
}

class Sweep {
 public:
  Sweep(const SweepSettings& settings, std::atomic<bool>& stop) : settings_(settings), stop_(stop) {
    require_device(settings.device);
    outcome_.points = plan_sweep(settings.experiment, settings.axes, settings.seeds);
    outcome_.results.resize(outcome_.points.size());
    if (settings.from) check_start();
    if (settings.elo) check_match();
  }

  SweepOutcome run() {
    require_folder(settings_.out);
    refuse_others_folder();
    const FolderLock lock(settings_.out, kLockName);
    refuse_another_experiment();
    games_fingerprint_ = open_data(outcome_.points.front().experiment.train).games_fingerprint();
    require_same_data();
    write_file_whole(frozen(), settings_.experiment.text);
    train_all();
    if (settings_.elo && !stop_) play_all();
    outcome_.stopped = stop_;
    if (!stop_ || has_trained_ || !fs::exists(settings_.out / "sweep.json")) {
      save();
      write_file_whole(settings_.out / "sweep.txt", sweep_table(outcome_));
    }
    return std::move(outcome_);
  }

 private:
  /// Which shapes and rates a start helps is worth a sweep; that one of them can't have it, an error at once.
  void check_start() {
    const StartingPoint start(*settings_.from, settings_.keep_optimizer);
    for (const SweepPoint& point : outcome_.points)
      start.require_fit(point.experiment.variant, point.experiment.net.at(settings_.generation));
    from_ = start.text();
  }

  /// So that hours of training don't end at a match that can't be.
  void check_match() const {
    if (games() % 2 != 0)
      throw WrongCall(
          "--games",
          fmt::format("is {}, but openings are played with both colours; give an even number", games()));
    if (settings_.against.empty() || settings_.against == "material") return;
    const Variant variant = read_net(settings_.against).variant;
    if (variant != settings_.experiment.variant)
      throw UserError(settings_.against,
                      fmt::format("is a net for {}, but the experiment is about {}", variant_name(variant),
                                  variant_name(settings_.experiment.variant)));
  }

  /// So that a sweep's files don't mix with a training's or a run's.
  void refuse_others_folder() const {
    for (const char* sweeps : {kLockName, "sweep.json"})
      if (fs::exists(settings_.out / sweeps)) return;
    for (const char* others : {kTrainLockName, kRunLockName, kCheckpointName, kBestCheckpointName})
      if (fs::exists(settings_.out / others))
        throw UserError(settings_.out.string(), "is the folder of a training or a run; choose another --out");
  }

  /// What all trainings share is frozen, so that one folder never mixes two sweeps.
  fs::path frozen() const { return settings_.out / "config.toml"; }
  /// The budget of a run is nothing to a sweep.
  static SettingsByName compared(const Experiment& experiment) {
    SettingsByName settings = settings_of(experiment);
    std::erase_if(settings, [](const auto& setting) { return setting.first.starts_with("run."); });
    return settings;
  }
  void refuse_another_experiment() const {
    if (fs::exists(frozen())) {
      const auto difference =
          settings_difference(compared(load_experiment(frozen())), compared(settings_.experiment));
      if (!difference.empty()) refuse(frozen(), fmt::format("another configuration ({})", difference));
    }
    require_same("generation", settings_.generation, "another --generation");
    require_same("from", from_, "another --from");
  }
  /// Only known once the data are open.
  void require_same_data() const { require_same("games_fingerprint", games_fingerprint_, "other data"); }
  template <class T>
  void require_same(const char* key, const T& now, const std::string& what) const {
    const fs::path results = settings_.out / "sweep.json";
    if (!fs::exists(results)) return;
    const Json before = Json::parse(read_file(results), nullptr, false);
    if (before.is_object() && before.contains(key) && before[key] != Json(now)) refuse(results, what);
  }
  [[noreturn]] static void refuse(const fs::path& place, const std::string& what) {
    throw UserError(
        place.string(),
        fmt::format("this sweep was begun with {}; choose another --out, or remove the folder", what));
  }

  int nodes() const { return settings_.nodes.value_or(settings_.experiment.gate.nodes); }
  std::int64_t games() const { return settings_.games.value_or(settings_.experiment.gate.games); }
  fs::path folder(std::size_t i) const { return settings_.out / outcome_.points[i].name; }

  /// How many choices of positions the sweep's trainings see.
  std::size_t count_data() const {
    std::vector<const TrainConfig*> seen;
    for (const SweepPoint& point : outcome_.points) {
      const TrainConfig& config = point.experiment.train;
      if (std::none_of(seen.begin(), seen.end(), [&](const auto* c) { return sees_the_same(*c, config); }))
        seen.push_back(&config);
    }
    return seen.size();
  }

  /// Games are proved once for all trainings that see the same positions of them, and all these share the memory that one
  /// training's would take.
  const Dataset& open_data(const TrainConfig& config) {
    for (const auto& opened : data_)
      if (sees_the_same(opened->config, config)) return opened->dataset;
    tbb::task_arena arena(config.threads > 0 ? config.threads : tbb::task_arena::automatic);
    arena.execute([&] {
      data_.push_back(std::make_unique<OpenedData>(OpenedData{
          config,
          Dataset(settings_.experiment.variant, settings_.data, config.filters, config.validation_share,
                  settings_.out, KeptPositions::kMostBytes / count_data())}));
    });
    return data_.back()->dataset;
  }

  /// What no later training sees needs neither memory nor disk any more.
  void close_data_after(std::size_t i) {
    std::erase_if(data_, [&](const auto& opened) {
      return std::none_of(
          outcome_.points.begin() + static_cast<std::ptrdiff_t>(i) + 1, outcome_.points.end(),
          [&](const SweepPoint& p) { return sees_the_same(opened->config, p.experiment.train); });
    });
  }

  void train_all() {
    const auto start = std::chrono::steady_clock::now();
    std::size_t trained = 0;
    for (std::size_t i = 0; i < outcome_.points.size() && !stop_; ++i) {
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      std::string left;
      if (trained > 0)
        left = fmt::format(", about {} left", duration_text(seconds / static_cast<double>(trained) *
                                                            static_cast<double>(outcome_.points.size() - i)));
      spdlog::info("training {} of {}{}: {}", i + 1, outcome_.points.size(), left, outcome_.points[i].name);
      if (train_one(i)) {
        has_trained_ = true;
        ++trained;
      }
      close_data_after(i);
      // Before, the results of an earlier call say more.
      if (has_trained_) save();
    }
  }

  /// False if there was nothing left to train.
  bool train_one(std::size_t i) {
    SweepResult& result = outcome_.results[i];
    const SweepPoint& point = outcome_.points[i];
    TrainSettings training = training_of(point.experiment, settings_.generation);
    training.data = settings_.data;
    training.out = folder(i);
    training.device = settings_.device;
    training.from = settings_.from;
    training.keep_optimizer = settings_.keep_optimizer;
    bool worked = true;
    try {
      require_folder(training.out);
      write_file_whole(training.out / "config.toml", point.experiment.text);
      result.training = train(training, open_data(training.config), stop_);
      result.state = result.training.finished ? State::Finished : State::Stopped;
      worked = result.training.positions_per_second > 0;
      if (result.training.best_epoch > 0) result.best = load_training_metrics(training.out).best();
    } catch (const UserError& e) {
      worked = false;
      result.state = State::Failed;
      result.fault = e.what();
      spdlog::error("{} failed: {}", point.name, e.what());
    }
    return worked;
  }

  void play_all() {
    std::optional<std::size_t> reference;
    for (std::size_t i = 0; i < outcome_.points.size(); ++i) {
      if (outcome_.results[i].state != State::Finished) continue;
      ExportSettings exported;
      exported.source = exported.out = folder(i);
      exported.notes = {{"sweep", outcome_.points[i].name}, {"licence", "CC0-1.0"}};
      outcome_.results[i].net = export_net(exported).file;
      if (!reference) reference = i;
    }
    if (!reference) return;
    fs::path opponent;
    if (settings_.against.empty()) {
      opponent = outcome_.results[*reference].net;
      outcome_.results[*reference].is_reference = true;
    } else if (settings_.against != "material") {
      opponent = settings_.against;
    }
    for (std::size_t i = 0; i < outcome_.points.size() && !stop_; ++i) {
      if (outcome_.results[i].net.empty() || outcome_.results[i].is_reference) continue;
      spdlog::info("match of {} against {}", outcome_.points[i].name, name_of(opponent));
      try {
        play_one(i, opponent);
      } catch (const UserError& e) {
        outcome_.results[i].fault = e.what();
        spdlog::error("{} failed: {}", outcome_.points[i].name, e.what());
      }
      if (has_trained_) save();
    }
  }

  static std::string name_of(const fs::path& net) { return net.empty() ? "material" : net.stem().string(); }

  void play_one(std::size_t i, const fs::path& opponent) {
    const Experiment& experiment = settings_.experiment;
    NetMatch match;
    match.a = outcome_.results[i].net;
    match.b = opponent;
    match.nodes = nodes();
    match.games = games();
    // All nets meet the reference from the same openings, which makes them comparable to each other.
    match.seed = derive_seed(experiment.seed, kSweepStream, 0);
    match.journal = folder(i) / fmt::format("elo-{}-{}-{}-{}.jsonl", match.a.stem().string(),
                                            name_of(opponent), match.nodes, match.games);
    const auto played = play_net_match(experiment, match, stop_);
    if (!played) return;
    SweepElo elo;
    elo.games = played->games;
    if (const auto estimate = played->elo()) {
      elo.elo = estimate->elo;
      elo.error = estimate->elo_error;
    }
    outcome_.results[i].elo = elo;
  }

  void save() const {
    Json trainings = Json::array();
    for (std::size_t i = 0; i < outcome_.points.size(); ++i) {
      const SweepResult& r = outcome_.results[i];
      Json settings;
      for (const auto& [key, value] : outcome_.points[i].settings) settings[key] = value;
      Json t = {{"name", outcome_.points[i].name}, {"settings", settings}, {"state", state_name(r.state)}};
      if (!r.fault.empty()) t["fault"] = r.fault;
      if (r.best) {
        t["epochs"] = r.training.epochs;
        t["seconds"] = r.training.seconds;
        t["best"] = *r.best;
      }
      if (!r.net.empty()) t["net"] = r.net.filename().string();
      if (r.is_reference) t["elo"] = "reference";
      if (r.elo)
        t["elo"] = {{"wins", r.elo->games.wins},
                    {"draws", r.elo->games.draws},
                    {"losses", r.elo->games.losses},
                    {"elo", r.elo->elo ? Json(*r.elo->elo) : Json(nullptr)},
                    {"error", r.elo->error ? Json(*r.elo->error) : Json(nullptr)}};
      trainings.push_back(std::move(t));
    }
    Json places = Json::array();
    for (const DataSource& source : settings_.data)
      for (const fs::path& place : source.places) places.push_back(place.string());
    const Json all = {{"experiment", settings_.experiment.name},
                      {"variant", std::string(variant_name(settings_.experiment.variant))},
                      {"data", places},
                      {"generation", settings_.generation},
                      {"from", from_},
                      {"games_fingerprint", games_fingerprint_},
                      {"trainings", trainings}};
    write_file_whole(settings_.out / "sweep.json",
                     all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }

  struct OpenedData {
    TrainConfig config;
    Dataset dataset;
  };

  const SweepSettings& settings_;
  std::atomic<bool>& stop_;
  SweepOutcome outcome_;
  bool has_trained_ = false;  // in this call
  std::string from_;          // empty: from random weights
  std::uint64_t games_fingerprint_ = 0;
  std::vector<std::unique_ptr<OpenedData>> data_;
};

}  // namespace

bool SweepOutcome::complete() const {
  return !stopped && std::all_of(results.begin(), results.end(), [](const SweepResult& r) {
    return r.state == State::Finished && r.fault.empty();
  });
}

SweepOutcome run_sweep(const SweepSettings& settings, std::atomic<bool>& stop) {
  return Sweep(settings, stop).run();
}

}  // namespace farrier
