#include "selfplay/loading/block_pipeline.h"

#include <atomic>
#include <list>
#include <memory>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

namespace farrier {
namespace {

/// Keeps the readers of the last few shards open; shuffled_blocks() mixes no more at a time.
class OpenShards {
 public:
  explicit OpenShards(const DataMix& mix) : mix_(mix) {}

  std::vector<GameRecord> read(const DataBlock& block) {
    GameReader& reader = find(block.shard);
    reader.seek(block.first_game);
    std::vector<GameRecord> games;
    games.reserve(block.games);
    for (std::uint32_t i = 0; i < block.games; ++i) {
      GameRecord& game = games.emplace_back();
      if (!reader.next(game) || !belongs_to_share(game.game_seed, block.share)) games.pop_back();
    }
    return games;
  }

 private:
  GameReader& find(std::uint32_t shard) {
    for (auto it = readers_.begin(); it != readers_.end(); ++it) {
      if (it->first != shard) continue;
      readers_.splice(readers_.begin(), readers_, it);
      return it->second;
    }
    if (readers_.size() >= kMost) readers_.pop_back();
    readers_.emplace_front(shard, mix_.open(shard));
    return readers_.front().second;
  }

  static constexpr std::size_t kMost = 8;
  const DataMix& mix_;
  std::list<std::pair<std::uint32_t, GameReader>> readers_;  // the last used first
};

/// A block on its way.
struct Job {
  const DataBlock* block = nullptr;
  std::vector<GameRecord> games;
  std::any result;
};

void read_games(Job& job, OpenShards& shards, const BlockSteps& steps) {
  if (steps.needs_no_games && steps.needs_no_games(*job.block)) return;
  job.games = shards.read(*job.block);
}

}  // namespace

void for_each_block(const DataMix& mix, std::span<const DataBlock> blocks, int workers,
                    const BlockSteps& steps, const BlockPause& pause) {
  OpenShards shards(mix);
  if (workers == 1) {
    for (const DataBlock& block : blocks) {
      pause.wait_if_wanted();
      Job job;
      job.block = &block;
      read_games(job, shards, steps);
      job.result = steps.work(block, job.games);
      if (!steps.take(block, job.result)) return;
    }
    return;
  }

  namespace tbb = oneapi::tbb;
  using JobPointer = std::shared_ptr<Job>;
  std::size_t next = 0;
  std::atomic<bool> ended = false;
  const auto run = [&] {
    const auto on_the_way = 2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    tbb::parallel_pipeline(
        on_the_way,
        tbb::make_filter<void, JobPointer>(tbb::filter_mode::serial_in_order,
                                           [&](tbb::flow_control& flow) -> JobPointer {
                                             if (ended || next == blocks.size() ||
                                                 (pause.wanted && pause.wanted())) {
                                               flow.stop();
                                               return nullptr;
                                             }
                                             auto job = std::make_shared<Job>();
                                             job->block = &blocks[next++];
                                             read_games(*job, shards, steps);
                                             return job;
                                           }) &
            tbb::make_filter<JobPointer, JobPointer>(tbb::filter_mode::parallel,
                                                     [&](JobPointer job) {
                                                       if (!ended)
                                                         job->result = steps.work(*job->block, job->games);
                                                       return job;
                                                     }) &
            tbb::make_filter<JobPointer, void>(tbb::filter_mode::serial_in_order, [&](JobPointer job) {
              if (!ended && !steps.take(*job->block, job->result)) ended = true;
            }));
  };
  const auto run_all = [&] {
    while (!ended && next < blocks.size()) {
      pause.wait_if_wanted();
      run();
    }
  };
  if (workers == 0) {
    run_all();
  } else {
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(workers));
    tbb::task_arena arena(workers);
    arena.execute(run_all);
  }
}

}  // namespace farrier
