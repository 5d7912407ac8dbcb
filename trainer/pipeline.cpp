#include "trainer/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/rng.h"
#include "selfplay/data/folder_lock.h"
#include "selfplay/data/shard_set.h"
#include "selfplay/games/progress_line.h"
#include "selfplay/games/scheduler.h"
#include "selfplay/match/selfplay_book.h"
#include "trainer/export.h"
#include "trainer/net_match.h"
#include "trainer/run_config.h"
#include "trainer/train_loop.h"

namespace farrier {
namespace {

// Streams of derive_seed, so that no two stages of a run draw the same random numbers.
constexpr std::uint64_t kTrainStream = 0x7EA1;
constexpr std::uint64_t kGateStream = 0x6A7E;
constexpr std::uint64_t kFinalStream = 0xF17A;

class Loop {
 public:
  Loop(const Experiment& experiment, std::filesystem::path folder, RunInputs inputs, RunState state,
       std::atomic<bool>& stop, std::string device)
      : experiment_(experiment),
        folder_(std::move(folder)),
        inputs_(std::move(inputs)),
        stop_(stop),
        device_(std::move(device)),
        state_(std::move(state)) {}

  bool run() {
    if (state_.best >= 0) require_net(state_.best);
    while (next_generation_is_due()) {
      const int g = current_generation();
      announce(g);
      if (!finish_generation(g)) return false;
    }
    if (!stop_ && !play_final_match()) return false;
    return !stop_;
  }

  const RunState& state() const { return state_; }

 private:
  /// A generation that has been begun is also finished, whatever the hours say.
  bool next_generation_is_due() const {
    if (stop_) return false;
    const int begun = static_cast<int>(state_.generations.size());
    if (begun > 0 && !state_.generations.back().gate) return true;
    return begun < experiment_.run.generations && state_.seconds() < experiment_.run.hours * 3600;
  }

  int current_generation() {
    if (state_.generations.empty() || state_.generations.back().gate) state_.generations.emplace_back();
    GenerationState& generation = state_.generations.back();
    if (!generation.data) {
      const std::filesystem::path net = best();
      generation.player = net.empty() ? "material" : net.filename().string();
      save_state(state_, folder_);
    }
    return static_cast<int>(state_.generations.size()) - 1;
  }

  void announce(int g) const {
    std::string left;
    if (g > 0) {
      const double each = state_.seconds() / g;
      const double by_count = (experiment_.run.generations - g) * each;
      const double by_hours = experiment_.run.hours * 3600 - state_.seconds() + each;
      left = ", about " + duration_text(std::min(by_count, by_hours)) + " left";
    }
    say(fmt::format("generation {} of {}{}: games by {}", g, experiment_.run.generations, left,
                    state_.generations[static_cast<std::size_t>(g)].player));
  }

  /// Runs the stages that are still to do; false if stopped.
  bool finish_generation(int g) {
    using Stage = bool (Loop::*)(int, GenerationState&);
    for (Stage stage : {&Loop::play_games, &Loop::fit_net, &Loop::write_net_file, &Loop::hold_gate}) {
      GenerationState& generation = state_.generations[static_cast<std::size_t>(g)];
      const auto start = std::chrono::steady_clock::now();
      const bool done = (this->*stage)(g, generation);
      generation.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      save_state(state_, folder_);
      if (!done) return false;
    }
    return true;
  }

  void note_settings(GenerationState& generation, std::initializer_list<const char*> sections) const {
    for (const char* section : sections) generation.settings[section] = settings_of(experiment_, section);
  }

  bool play_games(int g, GenerationState& generation) {
    if (generation.data) {
      if (generation.training || games_in(g) == generation.data->games) return true;
      say(fmt::format("  data   of {} games {} are there: the others are played again",
                      generation.data->games, games_in(g)));
    }
    const SelfplayConfig& config = experiment_.selfplay;
    SelfplaySettings settings;
    settings.variant = experiment_.variant;
    settings.folder = data_folder(g);
    settings.seed = experiment_.seed;
    settings.generation = static_cast<std::uint32_t>(g);
    if (const auto net = best(); !net.empty()) settings.net = net;
    settings.material_noise_cp = config.material_noise_cp;
    settings.game.nodes.soft_nodes = static_cast<std::uint64_t>(config.soft_nodes.at(g));
    NodeSchedule& nodes = settings.game.nodes;
    nodes.late_soft_nodes = static_cast<std::uint64_t>(config.late_soft_nodes.at(g));
    nodes.late_ply = config.late_ply;
    nodes.spread = config.node_spread;
    settings.threads = config.threads;
    settings.game.exploration = {config.explore_share, config.explore_lines, config.explore_temperature_cp,
                                 config.explore_max_loss_cp, config.explore_last_ply};
    settings.game.openings = random_openings(config);
    if (!inputs_.book.empty()) read_selfplay_book(inputs_.book, config.book_plies, settings);
    settings.game.adjudication.win_score_cp = config.adjudication_score_cp;
    settings.game.adjudication.win_plies = config.adjudication_plies;
    settings.game.adjudication.played_out_share = config.played_out_share;
    settings.hash_mib = static_cast<std::size_t>(config.hash_mib);
    settings.workers = config.workers;
    settings.games_per_shard = static_cast<std::uint64_t>(config.games_per_shard);
    settings.positions = static_cast<std::uint64_t>(config.positions.at(g));
    const SelfplaySummary summary = generate_games(settings, stop_);
    if (!summary.complete) return false;
    const GameSums& sums = summary.sums;
    generation.data = {
        sums.games,      sums.positions,
        sums.white_wins, sums.draws,
        sums.black_wins, static_cast<double>(summary.bytes) / static_cast<double>(sums.positions)};
    note_settings(generation, {"selfplay"});
    say(fmt::format(
        "  data   {} games, {} positions: white {:.1f}%, draws {:.1f}%, black {:.1f}%; {:.2f} bytes a "
        "position",
        sums.games, sums.positions, share(sums.white_wins, sums.games), share(sums.draws, sums.games),
        share(sums.black_wins, sums.games), generation.data->bytes_per_position));
    return true;
  }

  bool fit_net(int g, GenerationState& generation) {
    if (generation.training) return true;
    TrainSettings settings = training_of(experiment_, g);
    settings.seed = derive_seed(experiment_.seed, kTrainStream, static_cast<std::uint64_t>(g));
    for (int source = std::max(0, g + 1 - experiment_.train.window.at(g)); source <= g; ++source) {
      require_all_games(source);
      settings.data.push_back(
          {{data_folder(source)}, source == g ? 1.0 : experiment_.train.older_weight.at(g)});
    }
    settings.out = train_folder(g);
    settings.device = device_;
    const TrainSummary summary = train(settings, stop_);
    if (!summary.finished) return false;
    generation.training = {summary.architecture.hidden, summary.epochs, summary.training_positions,
                           summary.scale_cp, summary.best_validation_loss};
    note_settings(generation, {"net", "train"});
    say(fmt::format("  net    {}, {} epochs over {} positions, validation loss {:.6f}, scale {} cp",
                    describe(summary.architecture), summary.epochs, summary.training_positions,
                    summary.best_validation_loss, summary.scale_cp));
    return true;
  }

  ExportSummary exported(int g) const {
    ExportSettings settings;
    settings.source = train_folder(g);
    settings.out = generation_folder(folder_, g);
    settings.notes = {{"run", state_.name},
                      {"parent", state_.generations[static_cast<std::size_t>(g)].player},
                      {"licence", "CC0-1.0"}};
    return export_net(settings);
  }

  /// A net's file that was deleted is made again; its name, a hash, proves that it is the same.
  void require_net(int g) const {
    const std::string& name = state_.generations[static_cast<std::size_t>(g)].net;
    const std::filesystem::path net = generation_folder(folder_, g) / name;
    if (std::filesystem::exists(net)) return;
    std::string reason;
    try {
      const std::filesystem::path made = exported(g).file;
      if (made.filename() == name) return say(fmt::format("  file   {} was gone and is made again", name));
      std::filesystem::remove(made);
      reason = "its training now gives " + made.filename().string();
    } catch (const UserError& error) {
      reason = error.what();
    }
    throw UserError(
        net.string(),
        fmt::format("is gone and can't be made again ({}); put it back, or remove the run's folder", reason));
  }

  bool write_net_file(int g, GenerationState& generation) {
    if (!generation.net.empty()) {
      require_net(g);
      return true;
    }
    const ExportSummary summary = exported(g);
    write_file_whole(generation_folder(folder_, g) / "proof.json", proof_json(summary));
    generation.net = summary.file.filename().string();
    generation.float_error_cp = summary.error.mean_cp;
    say(fmt::format("  file   {}: float against integer {:.2f} cp on average, {:.2f} cp at worst",
                    generation.net, summary.error.mean_cp, summary.error.worst_cp));
    return true;
  }

  bool hold_gate(int g, GenerationState& generation) {
    const std::filesystem::path net = generation_folder(folder_, g) / generation.net;
    generation.gate =
        play_match(net, best(), generation_folder(folder_, g) / "gate.jsonl",
                   derive_seed(experiment_.seed, kGateStream, static_cast<std::uint64_t>(g)), true);
    if (!generation.gate) return false;
    note_settings(generation, {"gate"});
    const MatchNote& gate = *generation.gate;
    if (gate.won) state_.best = g;
    say(fmt::format("  gate   against {}: +{} ={} -{}, {}: {}", generation.player, gate.wins, gate.draws,
                    gate.losses, gate.elo, gate.won ? "the best net now" : "kept, but not the best"));
    return true;
  }

  bool play_final_match() {
    if (state_.best < 0 || state_.has_final_match()) return true;
    say("final match of the best net against material");
    state_.final_match = play_match(
        best_net(state_, folder_), {}, folder_ / fmt::format("final-{:03}.jsonl", state_.best),
        derive_seed(experiment_.seed, kFinalStream, static_cast<std::uint64_t>(state_.best)), false);
    if (!state_.final_match) return false;
    state_.final_generation = state_.best;
    state_.gate_nodes = experiment_.gate.nodes;
    save_state(state_, folder_);
    return true;
  }

  /// Empty if stopped. A new net wins by the sequential test, or without a verdict by more than half the points.
  std::optional<MatchNote> play_match(const std::filesystem::path& a, const std::filesystem::path& b,
                                      const std::filesystem::path& journal, std::uint64_t seed,
                                      bool sequential) {
    NetMatch match;
    match.a = a;
    match.b = b;
    match.nodes = experiment_.gate.nodes;
    match.games = experiment_.gate.games;
    if (sequential && experiment_.gate.elo0 && experiment_.gate.elo1)
      match.sprt = SprtSettings{.elo0 = *experiment_.gate.elo0, .elo1 = *experiment_.gate.elo1};
    match.seed = seed;
    match.journal = journal;
    const auto played = play_net_match(experiment_, match, stop_);
    if (!played) return std::nullopt;
    const MatchResult& result = *played;
    const auto elo = result.elo();
    const bool ahead = result.games.wins > result.games.losses;
    return MatchNote{result.games.wins, result.games.draws, result.games.losses,
                     elo ? elo_text(*elo) : "no games",
                     result.end == MatchEnd::AcceptedH1 || (result.end == MatchEnd::AllPlayed && ahead)};
  }

  /// Of shards that are there: one that was damaged may have been deleted.
  std::uint64_t games_in(int g) const {
    if (!std::filesystem::is_directory(data_folder(g))) return 0;
    const std::filesystem::directory_iterator files(data_folder(g));
    const bool has_shards = std::any_of(begin(files), end(files),
                                        [](const auto& file) { return file.path().extension() == ".h5"; });
    if (!has_shards) return 0;
    return sum_shards(shard_paths(data_folder(g))).games.games;
  }
  void require_all_games(int g) const {
    const std::uint64_t played = state_.generations[static_cast<std::size_t>(g)].data->games;
    if (const std::uint64_t found = games_in(g); found != played)
      throw UserError(
          data_folder(g).string(),
          fmt::format("holds {} of the {} games that were played here, and they can't be played again now; "
                      "put the missing shards back, or go on without them by a smaller 'train.window' and "
                      "--change",
                      found, played));
  }

  /// The net that plays and has to be beaten; empty for material.
  std::filesystem::path best() const {
    return state_.best < 0 ? inputs_.first_net : best_net(state_, folder_);
  }

  std::filesystem::path data_folder(int g) const { return generation_folder(folder_, g) / "data"; }
  std::filesystem::path train_folder(int g) const { return generation_folder(folder_, g) / "train"; }

  static double share(std::uint64_t part, std::uint64_t whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
  }

  static void say(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }

  const Experiment& experiment_;
  const std::filesystem::path folder_;
  const RunInputs inputs_;
  std::atomic<bool>& stop_;
  const std::string device_;
  RunState state_;
};

}  // namespace

bool run_loop(const Experiment& experiment, const std::filesystem::path& folder, std::atomic<bool>& stop,
              const RunSettings& settings) {
  require_device(settings.device);
  require_folder(folder);
  const FolderLock lock(folder, kRunLockName);
  RunState state = load_state(folder);
  RunInputs inputs = adopt_experiment(experiment, folder, state, settings.change);
  Loop loop(experiment, folder, std::move(inputs), std::move(state), stop, settings.device);
  const bool finished = loop.run();
  fmt::print("\n{}", run_summary(loop.state(), folder));
  return finished;
}

std::string run_summary(const RunState& state, const std::filesystem::path& folder) {
  std::string text = fmt::format("{}: {} generation{} in {}\n", folder.string(), state.generations.size(),
                                 state.generations.size() == 1 ? "" : "s", duration_text(state.seconds()));
  for (std::size_t g = 0; g < state.generations.size(); ++g) {
    if (const std::string change = change_in(state, g); !change.empty())
      text += fmt::format("  changed: {}\n", change);
    const GenerationState& generation = state.generations[g];
    text += fmt::format("  gen {}: ", g);
    if (!generation.data) {
      text += "games are being played\n";
      continue;
    }
    text += fmt::format("{} games, {} positions", generation.data->games, generation.data->positions);
    if (generation.training)
      text += fmt::format(", {} hidden, loss {:.5f}", generation.training->hidden,
                          generation.training->validation_loss);
    if (generation.gate)
      text += fmt::format(", {} {}: {}", generation.gate->won ? "beat" : "did not beat", generation.player,
                          generation.gate->elo);
    text += '\n';
  }
  if (state.best < 0) return text + "no net of this run has won its match yet\n";
  const std::filesystem::path net = best_net(state, folder);
  text += fmt::format("best net: {}\n", net.string());
  if (state.has_final_match())
    text += fmt::format("against material at {} nodes a move: +{} ={} -{}, {}\n", state.gate_nodes,
                        state.final_match->wins, state.final_match->draws, state.final_match->losses,
                        state.final_match->elo);
  return text + fmt::format(
                    "play it: start farrier in a chess program, or by hand, with the UCI options\n"
                    "  setoption name UCI_Variant value {}\n  setoption name EvalFile value {}\n",
                    variant_name(state.variant), std::filesystem::absolute(net).lexically_normal().string());
}

}  // namespace farrier
