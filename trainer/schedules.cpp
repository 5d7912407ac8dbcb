#include "trainer/schedules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.h"

namespace farrier {
namespace {

bool is_rest(const LrPhase& phase) { return phase.unit == LrPhase::Unit::Rest; }

double steps_of(const LrPhase& phase, std::int64_t steps_per_epoch, int epochs) {
  switch (phase.unit) {
    case LrPhase::Unit::Steps:
      return phase.length;
    case LrPhase::Unit::Epochs:
      return phase.length * static_cast<double>(steps_per_epoch);
    case LrPhase::Unit::Share:
      return phase.length * static_cast<double>(steps_per_epoch * epochs);
    case LrPhase::Unit::Rest:
      break;
  }
  return 0;
}

}  // namespace

std::string lr_phases_fault(const std::vector<LrPhase>& phases, int epochs) {
  const auto rests = std::count_if(phases.begin(), phases.end(), is_rest);
  if (rests > 1)
    return "only one phase may leave out its length (steps, epochs or share): it takes what the others leave";
  double sum = 0;  // in epochs
  bool has_steps = false;
  for (const LrPhase& phase : phases) {
    if (phase.unit == LrPhase::Unit::Epochs) sum += phase.length;
    if (phase.unit == LrPhase::Unit::Share) sum += phase.length * epochs;
    has_steps |= phase.unit == LrPhase::Unit::Steps;
  }
  constexpr double kRounding = 1e-6;
  if (rests == 0 && has_steps)
    return "phases counted in steps need one phase without a length, to take what they leave";
  if (rests == 0 && std::abs(sum - epochs) > kRounding * epochs)
    return fmt::format(
        "the phases last {:.9g} epochs, but the training {}; make them add up, or leave out one phase's "
        "length",
        sum, epochs);
  if (rests == 1 && sum >= epochs * (1 - kRounding))
    return fmt::format(
        "the phases with a length last {:.9g} of the training's {} epochs, and leave none for the one "
        "without",
        sum, epochs);
  return {};
}

LrSchedule::LrSchedule(const std::vector<LrPhase>& phases, std::int64_t steps_per_epoch, int epochs)
    : steps_per_epoch_(steps_per_epoch) {
  const std::int64_t all = steps_per_epoch * epochs;
  double counted = 0;
  for (const LrPhase& phase : phases) counted += steps_of(phase, steps_per_epoch, epochs);
  if (std::any_of(phases.begin(), phases.end(), is_rest) && std::llround(counted) >= all)
    throw UserError(
        "train.lr_schedule",
        fmt::format("its phases with a length take {:.0f} steps, but the whole training has {} ({} "
                    "epochs of {} steps); shorten them, or give more epochs or data",
                    counted, all, epochs, steps_per_epoch));
  double end = 0;  // of the phases so far; rounded only for the borders, so that phases don't drift
  double rate = 0;
  for (const LrPhase& phase : phases) {
    Stretch stretch{phase, std::llround(end), 0, phase.start.value_or(rate)};
    end += is_rest(phase) ? static_cast<double>(all) - counted : steps_of(phase, steps_per_epoch, epochs);
    stretch.steps = (&phase == &phases.back() ? all : std::llround(end)) - stretch.first;
    rate = end_of(stretch);
    if (stretch.steps > 0) stretches_.push_back(stretch);
  }
}

double LrSchedule::end_of(const Stretch& s) const {
  // A fall that is due at the very end of a phase never happens.
  const bool falls = s.phase.kind == LrPhase::Kind::Step;
  return at(s, s.first + (falls ? std::max<std::int64_t>(0, s.steps - 1) : s.steps));
}

double LrSchedule::at(const Stretch& s, std::int64_t step) const {
  const std::int64_t within = step - s.first;
  const double share = static_cast<double>(within) / static_cast<double>(std::max<std::int64_t>(1, s.steps));
  switch (s.phase.kind) {
    case LrPhase::Kind::Constant:
      break;
    case LrPhase::Kind::Linear:
      return s.start + (s.phase.end - s.start) * share;
    case LrPhase::Kind::Cosine:
      return s.phase.end + (s.start - s.phase.end) * 0.5 * (1 + std::cos(std::numbers::pi * share));
    case LrPhase::Kind::Step: {
      const std::int64_t epoch = within / steps_per_epoch_;
      const auto passed = [epoch](int at) { return at <= epoch; };
      const auto falls = s.phase.every_epochs > 0
                             ? epoch / s.phase.every_epochs
                             : std::count_if(s.phase.at_epochs.begin(), s.phase.at_epochs.end(), passed);
      return s.start * std::pow(s.phase.factor, static_cast<double>(falls));
    }
  }
  return s.start;
}

double LrSchedule::at(std::int64_t step) const {
  const auto after = std::find_if(stretches_.begin() + 1, stretches_.end(),
                                  [step](const Stretch& s) { return s.first > step; });
  return at(*(after - 1), step);
}

std::vector<LrPhase> warm_cosine(double start, double end, std::int64_t warmup_steps, std::int64_t steps) {
  const std::int64_t warmup = std::min(warmup_steps, steps / 10);
  std::vector<LrPhase> phases;
  if (warmup > 0) {
    LrPhase& rise = phases.emplace_back();
    rise.kind = LrPhase::Kind::Linear;
    rise.unit = LrPhase::Unit::Steps;
    rise.length = static_cast<double>(warmup);
    rise.start = start / static_cast<double>(warmup + 1);
    rise.end = start;
  }
  LrPhase& fall = phases.emplace_back();
  fall.kind = LrPhase::Kind::Cosine;
  fall.start = start;
  fall.end = end;
  return phases;
}

std::string lr_phases_text(const std::vector<LrPhase>& phases) {
  constexpr std::string_view kUnits[] = {"", "steps", "epochs", "share"};
  std::string text;
  for (const LrPhase& p : phases) {
    if (!text.empty()) text += ", ";
    text += kLrKindNames[static_cast<std::size_t>(p.kind)];
    if (!is_rest(p)) text += fmt::format(" {} {}", p.length, kUnits[static_cast<std::size_t>(p.unit)]);
    if (p.start) text += fmt::format(" from {}", *p.start);
    if (p.kind == LrPhase::Kind::Linear || p.kind == LrPhase::Kind::Cosine)
      text += fmt::format(" to {}", p.end);
    if (p.kind != LrPhase::Kind::Step) continue;
    text += fmt::format(" times {}", p.factor);
    text += p.every_epochs > 0 ? fmt::format(" every {} epochs", p.every_epochs)
                               : fmt::format(" after epochs {}", fmt::join(p.at_epochs, " "));
  }
  return text;
}

double on_the_way(double start, double end, std::int64_t step, std::int64_t steps) {
  if (steps <= 1) return start;
  return start + (end - start) * static_cast<double>(step) / static_cast<double>(steps - 1);
}

}  // namespace farrier
