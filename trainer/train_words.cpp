#include "trainer/train_words.h"

#include <sstream>

#include <fmt/core.h>

#include "trainer/settings_difference.h"

namespace farrier {

namespace {

/// "hidden=64 mirror=1 ..."
std::string architecture_text(const Architecture& architecture) {
  std::string text;
  for (const auto& [key, value] : architecture_entries(architecture))
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  return text;
}

/// The parts of settings_text(): a word with a sign of equality begins one.
SettingsByName settings_by_name(const std::string& text) {
  SettingsByName settings;
  std::istringstream words(text);
  std::string name;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      settings[name] += ' ' + word;
    } else {
      name = word.substr(0, equals);
      settings[name] = word.substr(equals + 1);
    }
  }
  return settings;
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
                               : lr_phases_text(c.lr_schedule);
  return fmt::format(
      "variant={} seed={} generation={} {} epochs={} batch={} lr={} weight_decay={} beta1={} beta2={} "
      "epsilon={} max_grad_norm={} result_weight={} loss={} validation_share={} patience={} "
      "scale_cp={} "
      "data={:016x}",
      variant_name(s.variant), s.seed, s.generation, architecture_text(s.net.at(s.generation)),
      c.epochs.at(s.generation), c.batch, rate, c.weight_decay, c.beta1, c.beta2, c.epsilon, c.max_grad_norm,
      result_weight_text(c, s.generation), c.loss.text(), c.validation_share, c.patience, scale_cp,
      dataset.fingerprint());
}

std::string training_difference(const std::string& then, const std::string& now) {
  SettingsByName before = settings_by_name(then), after = settings_by_name(now);
  // A hash tells nobody anything.
  const bool other_data = before["data"] != after["data"];
  before.erase("data");
  after.erase("data");
  const std::string others = settings_difference(before, after);
  if (!other_data) return others;
  return "data: other games or other filters" + (others.empty() ? "" : "; " + others);
}

std::map<std::string, std::string> training_notes(const TrainSettings& s, const Dataset& dataset,
                                                  const TrainProgress& p) {
  return {
      {"training",
       fmt::format("{} games, {} training positions, epoch {} of {}, batch {}, lr {}, result weight {}",
                   dataset.games(), dataset.positions(DataPart::Training), p.best_epoch, p.epoch,
                   s.config.batch, learning_rate_text(s.config), result_weight_text(s.config, s.generation))},
      {"validation_loss", fmt::format("{:.6f}", p.best_loss)},
      {"generation", std::to_string(s.generation)},
      {"seed", std::to_string(s.seed)},
  };
}

}  // namespace farrier
