#include "trainer/train_words.h"

#include <fmt/core.h>

namespace farrier {

namespace {

/// "hidden=64 mirror=1 ..."
std::string architecture_text(const Architecture& architecture) {
  std::string text;
  for (const auto& [key, value] : architecture_entries(architecture))
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  return text;
}

}  // namespace

std::string learning_rate_text(const TrainConfig& c) {
  return c.lr_schedule.empty() ? fmt::format("{}", c.lr) : lr_phases_text(c.lr_schedule);
}

std::string result_weight_text(const TrainConfig& c, int generation) {
  const double start = c.result_weight.at(generation);
  const double end = c.result_weight_end ? c.result_weight_end->at(generation) : start;
  return start == end ? fmt::format("{}", start) : fmt::format("{} to {}", start, end);
}

std::string settings_text(const TrainSettings& s, const Dataset& dataset, int scale_cp) {
  const TrainConfig& c = s.config;
  const std::string rate = c.lr_schedule.empty()
                               ? fmt::format("{} lr_end={} warmup_steps={}", c.lr, c.lr_end, c.warmup_steps)
                               : fmt::format("[{}]", lr_phases_text(c.lr_schedule));
  return fmt::format(
      "variant={} seed={} generation={} {} epochs={} batch={} lr={} weight_decay={} beta1={} beta2={} "
      "epsilon={} max_grad_norm={} result_weight={} loss={} loss_power={} validation_share={} patience={} "
      "scale_cp={} "
      "data={:016x}",
      variant_name(s.variant), s.seed, s.generation, architecture_text(s.net.at(s.generation)),
      c.epochs.at(s.generation), c.batch, rate, c.weight_decay, c.beta1, c.beta2, c.epsilon, c.max_grad_norm,
      result_weight_text(c, s.generation), static_cast<int>(c.loss.kind), c.loss.power, c.validation_share,
      c.patience, scale_cp, dataset.fingerprint());
}

}  // namespace farrier
