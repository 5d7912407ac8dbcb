#include "selfplay/rescore/rescore.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/search/searcher.h"
#include "engine/variants/dispatch.h"
#include "selfplay/data/file_hash.h"
#include "selfplay/data/replay.h"
#include "selfplay/games/progress_line.h"
#include "selfplay/records/shard_catalogue.h"
#include "selfplay/records/whole_output.h"
#include "selfplay/rescore/rescore_store.h"

namespace farrier {
namespace {

using Clock = std::chrono::steady_clock;

/// A last iteration that explodes is cut there, as in self-play.
constexpr std::uint64_t kHardNodesPerSoft = 20;

/// What decides the scores, as settings lines.
std::string scoring_lines(const RescoreSettings& settings, const std::string& net) {
  std::string lines = with_setting("", kRescoredKey, net);
  if (settings.soft_nodes)
    lines = with_setting(lines, "rescored_soft_nodes", std::to_string(*settings.soft_nodes));
  if (settings.depth) lines = with_setting(lines, "rescored_depth", std::to_string(*settings.depth));
  return with_setting(lines, "rescored_hash_mib", std::to_string(settings.hash_mib));
}

/// The settings of the source without those of an earlier rescoring, then those of this one.
ShardInfo rescored_info(const ShardInfo& source, const std::string& scoring) {
  ShardInfo info = source;
  info.settings.clear();
  for (std::size_t begin = 0; begin < source.settings.size();) {
    const std::size_t end = std::min(source.settings.find('\n', begin), source.settings.size());
    const std::string line = source.settings.substr(begin, end - begin);
    if (!line.starts_with("rescored_")) info.settings += line + '\n';
    begin = end + 1;
  }
  if (!setting_of(source, "played_by"))
    info.settings = with_setting(info.settings, "played_by", source.program + " " + source.commit);
  info.settings += scoring;
  info.program = ShardInfo().program;
  info.commit = ShardInfo().commit;
  return info;
}

std::vector<PlannedShard> make_plan(const ShardCatalogue& catalogue, const std::string& scoring,
                                    std::uint64_t games_per_shard) {
  std::vector<PlannedShard> plan;
  for (const ShardEntry& shard : catalogue.shards) {
    for (std::uint64_t first = 0; first < shard.games; first += games_per_shard) {
      PlannedShard planned{shard.first_in_set + first, std::min(games_per_shard, shard.games - first),
                           rescored_info(shard.info, scoring)};
      planned.info.first_game += first;
      plan.push_back(std::move(planned));
    }
  }
  return plan;
}

/// Changes with any byte of the sources.
std::string digest(const ShardCatalogue& catalogue) {
  std::string hashes;
  for (const ShardEntry& shard : catalogue.shards) hashes += sha256_of_file(shard.path);
  return sha256_hex(hashes);
}

struct Job {
  std::uint64_t index = 0;
  GameRecord game;
  bool recovered = false;
  bool done = false;  // false if the call was stopped in its middle
  std::uint64_t positions = 0;
};
using JobPointer = std::shared_ptr<Job>;

/// One call of rescore_data.
class Rescoring {
 public:
  Rescoring(const RescoreSettings& settings, const ShardCatalogue& catalogue, RescoreStore& store,
            std::shared_ptr<const Net> net, std::atomic<bool>& stop)
      : settings_(settings), catalogue_(catalogue), store_(store), net_(std::move(net)), stop_(stop) {
    summary_.all_games = catalogue.games;
    summary_.games = next_index_ = store.first_game();
    limits_.soft_nodes = settings.soft_nodes;
    if (settings.soft_nodes) limits_.hard_nodes = kHardNodesPerSoft * *settings.soft_nodes;
    limits_.depth = settings.depth;
  }

  template <VariantRules R>
  RescoreSummary run() {
    namespace tbb = oneapi::tbb;
    const int workers = settings_.workers > 0
                            ? settings_.workers
                            : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    tbb::enumerable_thread_specific<std::unique_ptr<Searcher<R>>> searchers;
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(workers));
    tbb::task_arena arena(workers);
    const auto read = [this](tbb::flow_control& flow) { return next_job(flow); };
    const auto search = [&, this](JobPointer job) {
      search_job<R>(*job, searchers.local());
      return job;
    };
    const auto journal = [this](JobPointer job) {
      if (job->done && !job->recovered) store_.journal(job->index, job->game);
      return job;
    };
    const auto accept = [this](JobPointer job) { accept_job(*job); };
    arena.execute([&] {
      tbb::parallel_pipeline(
          8 * static_cast<std::size_t>(workers),
          tbb::make_filter<void, JobPointer>(tbb::filter_mode::serial_in_order, read) &
              tbb::make_filter<JobPointer, JobPointer>(tbb::filter_mode::parallel, search) &
              tbb::make_filter<JobPointer, JobPointer>(tbb::filter_mode::serial_out_of_order, journal) &
              tbb::make_filter<JobPointer, void>(tbb::filter_mode::serial_in_order, accept));
    });
    progress_.finish();
    summary_.complete = summary_.games == summary_.all_games;
    summary_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return summary_;
  }

 private:
  JobPointer next_job(oneapi::tbb::flow_control& flow) {
    if (stop_ || next_index_ >= catalogue_.games) {
      flow.stop();
      return nullptr;
    }
    auto job = std::make_shared<Job>();
    job->index = next_index_++;
    if (auto found = store_.recover(job->index)) {
      job->game = std::move(*found);
      job->recovered = job->done = true;
      return job;
    }
    while (job->index >= catalogue_.shards[shard_].first_in_set + catalogue_.shards[shard_].games) {
      ++shard_;
      reader_.reset();
    }
    const ShardEntry& shard = catalogue_.shards[shard_];
    if (!reader_) reader_ = std::make_unique<GameReader>(shard.path);
    reader_->seek(job->index - shard.first_in_set);
    reader_->next(job->game);
    return job;
  }

  template <VariantRules R>
  void search_job(Job& job, std::unique_ptr<Searcher<R>>& searcher) {
    if (job.recovered) return;
    if (!searcher) {
      SearcherOptions options;
      options.hash_mib = settings_.hash_mib;
      options.net = net_;
      searcher = std::make_unique<Searcher<R>>(options);
    }
    searcher->clear();
    GameRecord& record = job.game;
    Game<R> game(parse_fen<R>(record.start_fen).value_or_throw("start FEN of a recorded game"));
    for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
      if (stop_.load(std::memory_order_relaxed)) return;
      if (!is_legal<R>(game.board(), record.moves[ply]))
        throw UserError(settings_.sources.front(), "a game with an illegal move; see `farrier data check`");
      if (ply >= record.random_plies) {
        record.scores_cp_stm[ply] = static_cast<std::int16_t>(searcher->search(game, limits_).score_cp_stm);
        ++job.positions;
      }
      game.play(record.moves[ply]);
    }
    record.exploratory_plies.clear();
    job.done = true;
  }

  /// In the order of the set; what lies behind a game that was stopped waits in the journal.
  void accept_job(Job& job) {
    if (!job.done) gap_ = true;
    summary_.positions += job.positions;
    if (job.done && !job.recovered) ++summary_.searched_games;
    if (gap_) return;
    store_.accept(std::move(job.game));
    ++summary_.games;
    if (progress_.due()) progress_.show(progress_text());
  }

  std::string progress_text() const {
    const double seconds = std::max(std::chrono::duration<double>(Clock::now() - start_).count(), 1e-3);
    const double games_a_second = static_cast<double>(summary_.searched_games) / seconds;
    return fmt::format("{} of {} games ({:.0f}%), {:.0f} positions/s, {} left", summary_.games,
                       summary_.all_games,
                       100 * static_cast<double>(summary_.games) / static_cast<double>(summary_.all_games),
                       static_cast<double>(summary_.positions) / seconds,
                       duration_text(static_cast<double>(summary_.all_games - summary_.games) /
                                     std::max(games_a_second, 1e-6)));
  }

  const RescoreSettings& settings_;
  const ShardCatalogue& catalogue_;
  RescoreStore& store_;
  std::shared_ptr<const Net> net_;
  std::atomic<bool>& stop_;
  SearchLimits limits_;
  ProgressLine progress_;
  Clock::time_point start_ = Clock::now();
  // Of the first filter alone:
  std::uint64_t next_index_ = 0;
  std::size_t shard_ = 0;
  std::unique_ptr<GameReader> reader_;
  // Of the last filter alone:
  bool gap_ = false;
  RescoreSummary summary_;
};

/// Whether the folder is what this call would make.
bool is_complete(const std::filesystem::path& out, const std::vector<PlannedShard>& plan) {
  for (std::size_t k = 0; k < plan.size(); ++k) {
    const std::filesystem::path path = out / shard_name(k);
    if (!std::filesystem::exists(path)) return false;
    const GameReader reader(path);
    if (reader.info() != plan[k].info || reader.games() != plan[k].games) return false;
  }
  return !plan.empty();
}

void require_valid(const RescoreSettings& settings) {
  if (!settings.soft_nodes && !settings.depth)
    throw WrongCall("--nodes or --depth", "give a limit for the search");
  if (settings.hash_mib < 1 || settings.hash_mib > 65536)
    throw WrongCall("--hash", "out of range; give 1 to 65536 MiB");
  if (settings.workers < 0 || settings.workers > 1024)
    throw WrongCall("--workers", "out of range; give 1 to 1024, or 0 for all cores");
}

}  // namespace

RescoreSummary rescore_data(const RescoreSettings& settings, std::atomic<bool>& stop) {
  require_valid(settings);
  const ShardCatalogue catalogue = read_catalogue_of(settings.sources);
  std::shared_ptr<const Net> net;
  std::string net_name = "material";
  if (settings.net) {
    net = std::make_shared<const Net>(read_net(*settings.net));
    if (net->variant != catalogue.variant)
      throw UserError(settings.net->string(),
                      fmt::format("a net for {}, not for {}; name one of the right variant",
                                  variant_name(net->variant), variant_name(catalogue.variant)));
    net_name = sha256_of_file(*settings.net);
  }
  const std::string scoring =
      with_setting(scoring_lines(settings, net_name), "rescored_source", digest(catalogue));
  const std::vector<PlannedShard> plan = make_plan(catalogue, scoring, settings.games_per_shard);
  if (std::filesystem::exists(settings.out) && is_complete(settings.out, plan)) {
    RescoreSummary summary;
    summary.games = summary.all_games = catalogue.games;
    summary.complete = summary.was_complete = true;
    return summary;
  }
  require_absent(settings.out);
  const std::filesystem::path growing = temporary_path(settings.out);
  RescoreStore store(growing, plan,
                     with_setting(scoring, "games_per_shard", std::to_string(settings.games_per_shard)));
  if (store.first_game() + store.recoverable() > 0)
    fmt::print("going on after {} games\n", store.first_game() + store.recoverable());
  Rescoring rescoring(settings, catalogue, store, std::move(net), stop);
  RescoreSummary summary;
  try {
    summary = with_rules(catalogue.variant, [&]<VariantRules R>() { return rescoring.template run<R>(); });
  } catch (const UserError& error) {
    const std::string sentence = error.what();
    if (!sentence.starts_with(growing.string())) throw;
    throw UserError(sentence + "; what is done is kept, make room and give the same command again");
  }
  if (summary.complete) store.publish(settings.out);
  return summary;
}

std::string rescore_text(const RescoreSettings& settings, const RescoreSummary& summary) {
  if (summary.was_complete)
    return fmt::format("{} holds all {} games already\n", settings.out.string(), summary.games);
  return fmt::format("{} games rescored into {}; {} of them now, {:.0f} positions/s\n", summary.games,
                     settings.out.string(), summary.searched_games,
                     static_cast<double>(summary.positions) / std::max(summary.seconds, 1e-3));
}

}  // namespace farrier
