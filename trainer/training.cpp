#include "trainer/training.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/nnue/input_map.h"
#include "trainer/batch_origin.h"
#include "trainer/metrics.h"
#include "trainer/model_validation.h"
#include "trainer/train_words.h"

namespace farrier {
namespace {

constexpr std::size_t kSamplePositions = 8192;
constexpr double kSecondsBetweenCheckpoints = 60;
constexpr double kSecondsBetweenReports = 60;
constexpr std::uint64_t kSeedStream = 0x7EA1;
constexpr const char* kWhereAnew = "in another folder or with the checkpoints here removed";
constexpr const char* kDeviceNote = "device";  // of a net that was not trained on the CPU's kernels alone

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Training::Training(const TrainSettings& settings, const Dataset& dataset)
    : settings_(settings),
      config_(settings.config),
      dataset_(dataset),
      architecture_(settings.net.at(settings.generation)),
      epochs_(settings.config.epochs.at(settings.generation)),
      checkpoints_(settings.out) {
  // A set smaller than a batch still trains: the batch is the set.
  const auto positions = static_cast<std::size_t>(dataset.positions(DataPart::Training));
  batch_size_ = std::min(static_cast<std::size_t>(config_.batch), positions);
  steps_per_epoch_ = static_cast<std::int64_t>(positions / batch_size_);
  const ScoreHistogram& histogram = dataset.histogram();
  coherence_ = histogram.coherence();
  const int generation = settings.generation;
  first_result_weight_ = config_.result_weight.at(generation);
  labels_ = {config_.result_weight_end.value_or(config_.result_weight).at(generation),
             config_.scale_cp > 0 ? config_.scale_cp : histogram.fit_scale_cp()};
  schedule_.emplace(
      config_.lr_schedule.empty()
          ? warm_cosine(config_.lr, config_.lr_end, config_.warmup_steps, steps_per_epoch_ * epochs_)
          : config_.lr_schedule,
      steps_per_epoch_, epochs_);

  const InputMap map(settings.variant, architecture_.features);
  learner_ = make_learner(settings.device, architecture_, map.rows(), map.rows_per_bucket(), seed());
  state_.variant = settings.variant;
  state_.scale_cp = labels_.scale_cp;
  state_.settings = settings_text(settings, dataset, labels_.scale_cp);
  if (settings.from) {
    start_.emplace(*settings.from, settings.keep_optimizer);
    start_->require_fit(settings.variant, architecture_);
    state_.settings += fmt::format(" from={}", start_->text());
  }
  const bool resumed = resume();
  // While its first batches are made, the start below looks at the validation positions.
  if (!state_.progress.finished) upcoming_ = training_batches(state_.progress.epoch, state_.progress.step);
  if (!resumed) {
    if (start_) begin_with(*start_);
    state_.net = state_.best = learner_->net();
    state_.sample = validation_sample();
  }
  if (settings.device != kCpuDevice) state_.notes[kDeviceNote] = settings.device;
  seconds_before_ = state_.progress.seconds;
  events_.emplace(settings.out, state_.progress, steps_per_epoch_ * epochs_);
}

bool Training::resume() {
  AdamwState optimizer;
  auto found = checkpoints_.load_newest(&optimizer);
  if (!found) return false;
  Checkpoint& saved = found->checkpoint;
  if (saved.settings != state_.settings)
    throw UserError(found->path.string(), fmt::format("was made with other settings or data and cannot go on "
                                                      "({}); choose another folder, or remove all "
                                                      "checkpoints there",
                                                      training_difference(saved.settings, state_.settings)));
  state_ = std::move(saved);
  learner_->set_net(state_.net);
  learner_->set_optimizer(std::move(optimizer));
  write_metrics(settings_.out, state_.progress.metrics);  // whatever has become of the file since
  if (!state_.progress.finished)
    spdlog::info("going on after epoch {}, step {}", state_.progress.epoch, state_.progress.step);
  return true;
}

void Training::begin_with(const StartingPoint& start) {
  const Variant variant = settings_.variant;
  learner_->set_net(start.net_for(variant, architecture_, labels_.scale_cp, seed()));
  if (start.keeps_optimizer()) learner_->set_optimizer(start.optimizer());
  const ErrorSums sums = validation().all;
  spdlog::info("begins with {}: validation {:.6f}", start.text(), sums.mean(sums.loss));
}

SparseBatch Training::validation_sample() const {
  StreamOptions options;
  options.batch = kSamplePositions;
  options.seed = seed();
  options.partial = true;
  BatchStream stream(dataset_, architecture_, DataPart::Validation, options);
  return *stream.next();
}

double Training::step(const SparseBatch& batch) {
  const std::int64_t step_in_all = state_.progress.epoch * steps_per_epoch_ + state_.progress.step;
  Labels labels = labels_;
  labels.result_weight =
      on_the_way(first_result_weight_, labels_.result_weight, step_in_all, steps_per_epoch_ * epochs_);
  labels.targets(batch, targets_);
  const AdamwSettings adamw{schedule_->at(step_in_all), config_.weight_decay, config_.beta1, config_.beta2,
                            config_.epsilon};
  const StepResult done = learner_->step(batch, targets_, {config_.loss, adamw, config_.max_grad_norm});
  if (!std::isfinite(done.loss)) fail_step("the training loss is");
  if (!std::isfinite(done.gradient_norm)) fail_step("the gradients are");
  return done.loss;
}

void Training::fail_step(const std::string& what) const {
  const TrainProgress& p = state_.progress;
  throw UserError(
      settings_.out.string(),
      fmt::format("{} no longer a number at epoch {}, step {}; begin anew with a lower train.lr or a "
                  "train.max_grad_norm, {}. Of that batch, {}",
                  what, p.epoch + 1, p.step + 1, kWhereAnew,
                  batch_origin(dataset_, stream_options(p.epoch), p.step)));
}

StreamOptions Training::stream_options(int epoch) const {
  StreamOptions options;
  options.batch = batch_size_;
  options.seed = seed();
  options.epoch = epoch;
  return options;
}

std::unique_ptr<BatchStream> Training::training_batches(int epoch, std::int64_t first_step) const {
  StreamOptions options = stream_options(epoch);
  options.skip = static_cast<std::size_t>(first_step);
  return std::make_unique<BatchStream>(dataset_, architecture_, DataPart::Training, options);
}

bool Training::run_epoch(std::atomic<bool>& stop) {
  TrainProgress& p = state_.progress;
  const auto stream = upcoming_ ? std::move(upcoming_) : training_batches(p.epoch, p.step);
  const auto start = Clock::now();
  while (p.step < steps_per_epoch_) {
    data_wait_share_ = stream->seconds_waited() / std::max(seconds_since(start), 1e-9);
    if (stop) return false;
    // Its shuffle buffer fills while this epoch's empties, and during the validation.
    if (!upcoming_ && stream->all_read() && p.epoch + 1 < epochs_)
      upcoming_ = training_batches(p.epoch + 1, 0);
    auto batch = stream->next();
    const double loss = step(*batch);
    p.loss_sum += loss;
    stream->recycle(std::move(batch));
    ++p.step;
    const std::int64_t done = p.epoch * steps_per_epoch_ + p.step;
    events_->add_step(done, loss, schedule_->at(done - 1));
    ++steps_here_;
    if (seconds_since(last_saved_) > kSecondsBetweenCheckpoints) save();
    if (seconds_since(last_reported_) > kSecondsBetweenReports) report();
  }
  return true;
}

ValidationSums Training::validation() {
  return validate(*learner_, dataset_, architecture_, labels_, config_.loss, batch_size_);
}

void Training::finish_epoch(const ValidationSums& v) {
  TrainProgress& p = state_.progress;
  const double loss = v.all.mean(v.all.loss);
  if (!std::isfinite(loss))
    throw UserError(
        settings_.out.string(),
        fmt::format("the validation loss of epoch {} is not a number; begin anew with a lower train.lr, {}",
                    p.epoch + 1, kWhereAnew));
  const std::int64_t steps_in_all = (p.epoch + 1) * steps_per_epoch_;
  ++p.epoch;
  const bool best = p.best_epoch == 0 || loss < p.best_loss;
  if (best) {
    p.best_epoch = p.epoch;
    p.best_loss = loss;
    state_.best = learner_->net();
  }
  const double seconds = seconds_before_ + seconds_since(started_);
  const double rate =
      static_cast<double>(steps_here_) * static_cast<double>(batch_size_) / seconds_since(started_);
  MetricsLine line;
  line["epoch"] = p.epoch;
  line["steps"] = steps_in_all;
  line["lr"] = schedule_->at(steps_in_all - 1);
  line["train_loss"] = train_loss();
  add_validation(line, v, settings_.variant);
  line["best"] = best;
  line["seconds"] = std::round(seconds * 100) / 100;
  line["positions_per_second"] = std::round(rate);
  line["data_wait_share"] = std::round(data_wait_share_ * 1e4) / 1e4;
  line["time"] = std::round(unix_seconds_now());
  p.metrics.push_back(line.dump());
  events_->add_epoch(line);
  spdlog::info(
      "epoch {}/{}: train {:.6f}, validation {:.6f} (score {:.6f}, result {:.6f}, sign {:.1f}%){}, {:.0f} "
      "positions/s, {:.1f}% of the time waiting for data",
      p.epoch, epochs_, train_loss(), loss, v.all.mean(v.all.score), v.all.mean(v.all.result),
      100 * v.sign_accuracy(), best ? ", best" : "", rate, 100 * data_wait_share_);
  p.step = 0;
  p.loss_sum = 0;
  const bool gives_up = config_.patience > 0 && p.epoch - p.best_epoch >= config_.patience;
  p.finished = p.epoch >= epochs_ || gives_up;
  if (p.finished && p.epoch < epochs_)
    spdlog::info("stopped early: {} epochs without a better validation loss", config_.patience);

  auto device = state_.notes.extract(kDeviceNote);  // kept, though the training goes on on the CPU
  state_.notes = training_notes(settings_, dataset_, p);
  state_.notes.insert(std::move(device));
  if (start_) state_.notes["started_from"] = start_->text();
}

void Training::save() {
  state_.net = learner_->net();
  // A loss that has saturated, and so its gradients, are finite whatever the weights.
  if (!is_finite(state_.net))
    throw UserError(
        settings_.out.string(),
        fmt::format(
            "a weight is no longer a number after epoch {}, step {}; begin anew with a lower train.lr "
            "or train.weight_decay, {}",
            state_.progress.epoch, state_.progress.step, kWhereAnew));
  const AdamwState optimizer = learner_->optimizer();
  state_.progress.seconds = seconds_before_ + seconds_since(started_);
  write_metrics(settings_.out, state_.progress.metrics);
  state_.progress.event_bytes = events_->sync();
  if (state_.progress.epoch > 0 && state_.progress.step == 0)
    checkpoints_.save_epoch(state_, optimizer);
  else
    checkpoints_.save(state_, optimizer);
  last_saved_ = Clock::now();
}

std::uint64_t Training::seed() const {
  return derive_seed(settings_.seed, kSeedStream, settings_.generation);
}

double Training::train_loss() const {
  return state_.progress.loss_sum / static_cast<double>(std::max<std::int64_t>(1, state_.progress.step));
}

void Training::report() {
  const TrainProgress& p = state_.progress;
  const double elapsed = seconds_since(started_);
  const double rate = static_cast<double>(steps_here_) / elapsed;
  const std::int64_t done = p.epoch * steps_per_epoch_ + p.step;
  const double left = static_cast<double>(steps_per_epoch_ * epochs_ - done) / rate;
  spdlog::info("epoch {}/{}, step {}/{}: train {:.6f}, {:.0f} positions/s, at most {:.1f} minutes left",
               p.epoch + 1, epochs_, p.step, steps_per_epoch_, train_loss(),
               rate * static_cast<double>(batch_size_), left / 60);
  last_reported_ = Clock::now();
}

TrainSummary Training::run(std::atomic<bool>& stop) {
  const TrainProgress& p = state_.progress;
  while (!p.finished) {
    if (!run_epoch(stop)) break;
    finish_epoch(validation());
    save();
  }
  if (!p.finished) save();

  TrainSummary s;
  s.finished = p.finished;
  s.games = dataset_.games();
  s.training_positions = dataset_.positions(DataPart::Training);
  s.validation_positions = dataset_.positions(DataPart::Validation);
  s.filtered = dataset_.filtered();
  s.architecture = architecture_;
  s.scale_cp = labels_.scale_cp;
  s.coherence = coherence_;
  s.epochs = p.epoch;
  s.best_epoch = p.best_epoch;
  s.best_validation_loss = p.best_loss;
  s.seconds = p.seconds;
  s.positions_per_second =
      static_cast<double>(steps_here_) * static_cast<double>(batch_size_) / seconds_since(started_);
  s.checkpoint = settings_.out / kCheckpointName;
  return s;
}

}  // namespace farrier
