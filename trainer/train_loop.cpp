#include "trainer/train_loop.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <spdlog/spdlog.h>

#include "engine/base/files.h"
#include "selfplay/data/folder_lock.h"
#include "trainer/starting_point.h"
#include "trainer/training.h"

namespace farrier {

namespace {

/// In a folder that is locked.
TrainSummary train_locked(const TrainSettings& settings, const Dataset& dataset, std::atomic<bool>& stop) {
  dataset.require_positions();
  spdlog::info("{} games, {} training and {} validation positions; {}", dataset.games(),
               dataset.positions(DataPart::Training), dataset.positions(DataPart::Validation),
               dataset.filtered().to_text());
  if (!dataset.in_memory()) spdlog::info("positions kept: {}", dataset.kept_text());
  const int threads = settings.config.threads;
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  // One thread more than the cores in use: see BatchStream::produce.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(arena.max_concurrency()) + 1);
  return arena.execute([&] { return Training(settings, dataset).run(stop); });
}

}  // namespace

TrainSettings training_of(const Experiment& experiment, int generation) {
  TrainSettings settings;
  settings.variant = experiment.variant;
  settings.net = experiment.net;
  settings.config = experiment.train;
  settings.generation = generation;
  settings.seed = experiment.seed;
  return settings;
}

TrainSummary train(const TrainSettings& settings, const Dataset& dataset, std::atomic<bool>& stop) {
  require_folder(settings.out);
  const FolderLock lock(settings.out, kTrainLockName);
  return train_locked(settings, dataset, stop);
}

TrainSummary train(const TrainSettings& settings, std::atomic<bool>& stop) {
  const TrainConfig& c = settings.config;
  // Before the data, which may take long to read.
  require_device(settings.device);
  require_folder(settings.out);
  const FolderLock lock(settings.out, kTrainLockName);
  if (settings.from)
    StartingPoint(*settings.from, settings.keep_optimizer)
        .require_fit(settings.variant, settings.net.at(settings.generation));
  // The games are proved on no more threads than train later.
  tbb::task_arena arena(c.threads > 0 ? c.threads : tbb::task_arena::automatic);
  return arena.execute([&] {
    return train_locked(settings,
                        Dataset(settings.variant, settings.data, c.filters, c.validation_share, settings.out),
                        stop);
  });
}

}  // namespace farrier
