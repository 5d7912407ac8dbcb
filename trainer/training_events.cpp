#include "trainer/training_events.h"

#include <algorithm>
#include <array>

namespace farrier {

namespace {

constexpr std::int64_t kStepsTold = 1000;

}  // namespace

TrainingEvents::TrainingEvents(const std::filesystem::path& folder, const TrainProgress& progress,
                               std::int64_t steps_in_all)
    : file_(folder / kEventFileName, progress.event_bytes),
      steps_between_(std::max<std::int64_t>(1, steps_in_all / kStepsTold)) {
  if (!file_.is_new()) return;
  for (const MetricsLine& line : parse_metrics(progress.metrics, (folder / kCheckpointName).string()))
    add_epoch(line);
}

void TrainingEvents::add_step(std::int64_t step, double loss, double lr) {
  if (step % steps_between_ != 0) return;
  const std::array scalars{Scalar{"train/loss", static_cast<float>(loss)},
                           Scalar{"train/lr", static_cast<float>(lr)}};
  file_.add(unix_seconds_now(), step, scalars);
}

void TrainingEvents::add_epoch(const MetricsLine& line) {
  file_.add(number_in(line, "time").value_or(unix_seconds_now()), line.value("steps", std::int64_t{0}),
            scalars_of(line));
}

}  // namespace farrier
