#include "selfplay/games/scheduler.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_set>

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/nnue/net_file.h"
#include "engine/variants/dispatch.h"
#include "selfplay/data/file_hash.h"
#include "selfplay/games/game_store.h"
#include "selfplay/games/progress_line.h"

namespace farrier {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string rejects_text(const OpeningRejects& rejects) {
  return fmt::format("{} lopsided, {} finished, {} drawn twice", rejects.lopsided, rejects.finished,
                     rejects.repeated);
}

/// A game on its way through the pipeline.
struct Job {
  std::uint64_t index = 0;
  bool recovered = false;
  std::optional<PlayedGame> game;  // empty if the run was stopped in its middle
};
using JobPointer = std::shared_ptr<Job>;

/// One call of generate_games.
class Run {
 public:
  Run(const SelfplaySettings& settings, const ShardInfo& info, std::shared_ptr<const Net> net,
      std::atomic<bool>& stop)
      : settings_(settings),
        net_(std::move(net)),
        stop_(stop),
        workers_(settings.workers > 0
                     ? settings.workers
                     : std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / settings.threads)),
        store_(settings.folder, info, settings.games_per_shard),
        next_index_(store_.first_game()) {
    summary_.sums = store_.found();
    summary_.bytes = store_.bytes();
  }

  template <VariantRules R>
  SelfplaySummary play() {
    const std::size_t recoverable = store_.recoverable();
    if (summary_.sums.games + recoverable > 0) {
      fmt::print("going on after {} games\n", summary_.sums.games + recoverable);
      std::fflush(stdout);
    }
    try {
      if (!target_reached()) {
        const Heartbeat heartbeat([this] {
          if (progress_.due()) progress_.show(progress_text());
        });
        run_pipeline<R>();
      }
      progress_.finish();
      summary_.complete = target_reached();
      if (summary_.complete) store_.finish();
      summary_.shards_hold_more = store_.holds_more();
    } catch (const UserError& error) {
      progress_.finish();
      if (summary_.sums.games == 0 || !std::filesystem::exists(settings_.folder)) throw;
      throw UserError(fmt::format("{}; {} games are kept: give the same command again to go on from them",
                                  error.what(), summary_.sums.games));
    }
    summary_.kept_games = summary_.sums.games;
    summary_.bytes = store_.bytes();
    summary_.seconds = seconds_since(start_);
    const double worker_seconds = summary_.seconds * workers_;
    summary_.outside_search_share =
        summary_.played_games == 0
            ? 0
            : std::max(0.0, 1 - std::chrono::duration<double>(searching_).count() / worker_seconds);
    return summary_;
  }

 private:
  template <VariantRules R>
  void run_pipeline() {
    namespace tbb = oneapi::tbb;
    tbb::enumerable_thread_specific<std::unique_ptr<Searcher<R>>> searchers;
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(workers_));
    tbb::task_arena arena(workers_);
    // Enough games on the way that a long one does not hold up the others, which are accepted in order.
    const std::size_t games_on_the_way = 8 * static_cast<std::size_t>(workers_);
    arena.execute([&] {
      tbb::parallel_pipeline(
          games_on_the_way,
          tbb::make_filter<void, JobPointer>(tbb::filter_mode::serial_in_order,
                                             [this](tbb::flow_control& flow) { return next_job(flow); }) &
              tbb::make_filter<JobPointer, JobPointer>(tbb::filter_mode::parallel,
                                                       [&, this](JobPointer job) {
                                                         play_job<R>(*job, searchers.local());
                                                         return job;
                                                       }) &
              tbb::make_filter<JobPointer, JobPointer>(tbb::filter_mode::serial_out_of_order,
                                                       [this](JobPointer job) {
                                                         if (job->game && !job->recovered)
                                                           store_.journal(job->index, job->game->record);
                                                         return job;
                                                       }) &
              tbb::make_filter<JobPointer, void>(tbb::filter_mode::serial_in_order,
                                                 [this](JobPointer job) { accept(*job); }));
    });
  }

  JobPointer next_job(oneapi::tbb::flow_control& flow) {
    if (stop_ || done_ || (settings_.games && next_index_ >= *settings_.games)) {
      flow.stop();
      return nullptr;
    }
    auto job = std::make_shared<Job>();
    job->index = next_index_++;
    return job;
  }

  /// Fills the job from the store or by playing. Runs on any worker, each with a searcher of its own.
  template <VariantRules R>
  void play_job(Job& job, std::unique_ptr<Searcher<R>>& searcher) {
    if (auto record = store_.recover(job.index)) {
      job.recovered = true;
      job.game.emplace();
      job.game->record = std::move(*record);
      return;
    }
    if (done_) return;  // beyond the target
    if (!searcher) {
      SearcherOptions options;
      options.hash_mib = settings_.hash_mib;
      if (!net_) options.noise.cp = settings_.material_noise_cp;
      options.net = net_;
      options.threads = settings_.threads;
      searcher = std::make_unique<Searcher<R>>(options);
    }
    job.game = play_game<R>(*searcher, settings_.game,
                            derive_seed(settings_.seed, settings_.generation, job.index), stop_, live_);
  }

  /// Takes games in the order of their indices, and drops what lies beyond the target or behind a gap.
  void accept(Job& job) {
    if (!job.game) gap_ = true;
    if (gap_ || done_) return;
    const std::uint64_t positions = job.game->record.positions();
    GameSums one;
    one.add(job.game->record);
    store_.accept(std::move(job.game->record));

    const std::lock_guard lock(summary_mutex_);
    summary_.sums.add(one);
    summary_.bytes = store_.bytes();
    if (!job.recovered) {
      ++summary_.played_games;
      summary_.nodes += job.game->nodes;
      summary_.rejects += job.game->rejects;
      searching_ += job.game->searching;
      positions_played_ += positions;
      if (!count_opening(job.game->opening_key)) ++summary_.repeated_openings;
    }
    done_ = target_reached();
  }

  /// False if it was counted before. The first millions are remembered: enough to show that a book is too small.
  bool count_opening(std::uint64_t key) {
    constexpr std::size_t kMost = 4'000'000;
    if (openings_.size() >= kMost) return openings_.count(key) == 0;
    return openings_.insert(key).second;
  }

  bool target_reached() const {
    return (settings_.games && summary_.sums.games >= *settings_.games) ||
           (settings_.positions && summary_.sums.positions >= *settings_.positions);
  }

  std::string progress_text() {
    const std::lock_guard lock(summary_mutex_);
    const GameSums& sums = summary_.sums;
    const double elapsed = seconds_since(start_);
    const OpeningRejects refused{live_.finished, live_.lopsided, live_.repeated};
    if (summary_.played_games == 0)
      return fmt::format("no game finished yet after {}, {} of them at a time; openings drawn anew: {}",
                         duration_text(elapsed), workers_, rejects_text(refused));
    const double games = static_cast<double>(sums.games);
    const double share_done = std::max(
        settings_.games ? games / static_cast<double>(*settings_.games) : 0,
        settings_.positions ? static_cast<double>(sums.positions) / static_cast<double>(*settings_.positions)
                            : 0);
    const double positions_a_second = static_cast<double>(positions_played_) / std::max(elapsed, 1e-3);
    const double positions_a_game = static_cast<double>(sums.positions) / games;
    const double positions_left = games * positions_a_game * (1 / share_done - 1);
    return fmt::format(
        "{} games, {} positions ({:.0f}%), {:.0f} positions/s, white {:.1f}% draws {:.1f}% black {:.1f}%, "
        "{:.1f} MB, "
        "{} left; openings drawn anew: {}",
        sums.games, sums.positions, 100 * share_done, positions_a_second,
        100 * static_cast<double>(sums.white_wins) / games, 100 * static_cast<double>(sums.draws) / games,
        100 * static_cast<double>(sums.black_wins) / games, static_cast<double>(summary_.bytes) / 1e6,
        duration_text(positions_left / positions_a_second), rejects_text(refused));
  }

  const SelfplaySettings& settings_;
  std::shared_ptr<const Net> net_;
  std::atomic<bool>& stop_;
  int workers_;
  GameStore store_;
  ProgressLine progress_;
  Clock::time_point start_ = Clock::now();

  std::uint64_t next_index_;        // of the first filter alone
  std::atomic<bool> done_ = false;  // set by the last filter, seen by all
  bool gap_ = false;                // of the last filter alone
  LiveRejects live_;
  // Written by the last filter, read by the heartbeat:
  std::mutex summary_mutex_;
  SelfplaySummary summary_;
  std::uint64_t positions_played_ = 0;
  std::chrono::nanoseconds searching_{0};
  std::unordered_set<std::uint64_t> openings_;
};

}  // namespace

SelfplaySummary generate_games(const SelfplaySettings& settings, std::atomic<bool>& stop) {
  require_valid(settings);
  ShardInfo info;
  info.variant = settings.variant;
  info.seed = settings.seed;
  info.generation = settings.generation;
  std::shared_ptr<const Net> net;
  if (settings.net) {
    net = std::make_shared<const Net>(read_net(*settings.net));
    if (net->variant != settings.variant)
      throw UserError(settings.net->string(),
                      fmt::format("a net for {}, not for {}; name one of the right variant",
                                  variant_name(net->variant), variant_name(settings.variant)));
    info.net = sha256_of_file(*settings.net);
  }
  info.settings = settings_text(settings, info.net);
  Run run(settings, info, std::move(net), stop);
  return with_rules(settings.variant, [&]<VariantRules R>() { return run.template play<R>(); });
}

std::string summary_text(const SelfplaySummary& summary) {
  const GameSums& sums = summary.sums;
  const auto percent = [&](std::uint64_t n) {
    return sums.games == 0 ? 0.0 : 100.0 * static_cast<double>(n) / static_cast<double>(sums.games);
  };
  std::string text =
      fmt::format("games      {}: white wins {:.1f}%, draws {:.1f}%, black wins {:.1f}%\n", sums.games,
                  percent(sums.white_wins), percent(sums.draws), percent(sums.black_wins));
  text += fmt::format("positions  {} scored, {} plies with the random ones\n", sums.positions, sums.plies);
  text += "ended by  ";
  for (int t = 0; t < kTerminationCount; ++t)
    if (sums.terminations[static_cast<std::size_t>(t)] > 0)
      text += fmt::format(" {} {}", termination_name(static_cast<Termination>(t)),
                          sums.terminations[static_cast<std::size_t>(t)]);
  text += '\n';
  if (summary.shards_hold_more)
    text += fmt::format("shards     {} bytes, with games beyond these\n", summary.bytes);
  else if (summary.complete && sums.positions > 0)
    text += fmt::format("shards     {} bytes, {:.2f} a position\n", summary.bytes,
                        static_cast<double>(summary.bytes) / static_cast<double>(sums.positions));
  if (summary.played_games > 0)
    text += fmt::format(
        "played now {} games in {}, {:.0f} nodes/s; {:.1f}% of the workers' time outside search\n"
        "openings   drawn anew: {}; {} games from an opening that was played before\n",
        summary.played_games, duration_text(summary.seconds),
        static_cast<double>(summary.nodes) / summary.seconds, 100 * summary.outside_search_share,
        rejects_text(summary.rejects), summary.repeated_openings);
  return text;
}

}  // namespace farrier
