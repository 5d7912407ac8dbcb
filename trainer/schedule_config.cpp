#include "trainer/schedule_config.h"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>

#include <fmt/core.h>

namespace farrier {
namespace {

void read_length(TomlSection& s, LrPhase& phase) {
  struct Choice {
    std::string_view key;
    LrPhase::Unit unit;
    double low, high;
  };
  constexpr Choice kChoices[] = {{"steps", LrPhase::Unit::Steps, 1, 1e12},
                                 {"epochs", LrPhase::Unit::Epochs, 1e-6, 1e6},
                                 {"share", LrPhase::Unit::Share, 1e-9, 1}};
  std::string_view chosen;
  for (const Choice& choice : kChoices) {
    s.read(choice.key, choice.low, choice.high, phase.length);
    if (!s.has(choice.key)) continue;
    if (!chosen.empty())
      s.fail(choice.key, fmt::format("a phase's length is given both as '{}' and as '{}'; give one of them",
                                     chosen, choice.key));
    chosen = choice.key;
    phase.unit = choice.unit;
  }
}

void require_key(const TomlSection& s, std::string_view key, LrPhase::Kind kind) {
  if (!s.has(key))
    s.fail(key, fmt::format("a phase of kind '{}' needs the key '{}'", lr_kind_name(kind), key));
}

void refuse_keys(const TomlSection& s, std::initializer_list<std::string_view> keys, LrPhase::Kind kind) {
  for (std::string_view key : keys)
    if (s.has(key))
      s.fail(key, fmt::format("a phase of kind '{}' has no use for the key '{}'; leave it out",
                              lr_kind_name(kind), key));
}

void read_falls(TomlSection& s, LrPhase& phase) {
  s.read("factor", 1e-6, 1.0, phase.factor);
  s.read("every", 1, 1'000'000, phase.every_epochs);
  std::vector<std::int64_t> at;
  s.read("at", std::int64_t{1}, std::int64_t{1'000'000}, at);
  phase.at_epochs.assign(at.begin(), at.end());
  if (std::adjacent_find(at.begin(), at.end(), std::greater_equal<>{}) != at.end())
    s.fail("at", "'train.lr_schedule.at' must list epochs in ascending order, each once");
}

LrPhase read_phase(TomlSection s) {
  using Kind = LrPhase::Kind;
  constexpr std::array kKinds{Kind::Constant, Kind::Linear, Kind::Cosine, Kind::Step};
  constexpr std::array<std::string_view, 4> kNames{"constant", "linear", "cosine", "step"};
  LrPhase phase;
  if (!s.has("kind"))
    s.fail("kind", "a phase of the schedule needs the key 'kind': constant, linear, cosine or step");
  std::size_t kind = 0;
  s.read_choice("kind", kNames, kind);
  phase.kind = kKinds[kind];
  read_length(s, phase);
  s.read("start", 0.0, 1.0, phase.start);
  s.read("end", 0.0, 1.0, phase.end);
  read_falls(s, phase);
  s.refuse_unknown_keys();
  switch (phase.kind) {
    case Kind::Constant:
      refuse_keys(s, {"end", "factor", "every", "at"}, phase.kind);
      break;
    case Kind::Linear:
    case Kind::Cosine:
      refuse_keys(s, {"factor", "every", "at"}, phase.kind);
      require_key(s, "end", phase.kind);
      break;
    case Kind::Step:
      refuse_keys(s, {"end"}, phase.kind);
      require_key(s, "factor", phase.kind);
      if (s.has("every") == s.has("at"))
        s.fail("factor",
               "a phase of kind 'step' needs either 'every' (a number of epochs) or 'at' (a list of them)");
      break;
  }
  return phase;
}

}  // namespace

void read_learning_rate(TomlSection& train, TrainConfig& config) {
  train.read("lr", 1e-9, 1.0, config.lr);
  train.read("lr_end", 0.0, 1.0, config.lr_end);
  train.read("warmup_steps", 0, 1'000'000'000, config.warmup_steps);
  for (TomlSection& section : train.sections("lr_schedule"))
    config.lr_schedule.push_back(read_phase(section));
  if (config.lr_schedule.empty()) {
    if (config.lr_end > config.lr)
      train.fail("lr_end",
                 fmt::format("'train.lr_end' is {}, above train.lr ({})", config.lr_end, config.lr));
    return;
  }
  for (std::string_view key : {"lr", "lr_end", "warmup_steps"})
    if (train.has(key))
      train.fail(key,
                 fmt::format("'train.{}' and [[train.lr_schedule]] exclude each other; leave out one", key));
  if (!config.lr_schedule.front().start)
    train.fail("lr_schedule", "the first phase of [[train.lr_schedule]] needs the key 'start'");
  for (int epochs : config.epochs.values())
    if (const std::string fault = lr_phases_fault(config.lr_schedule, epochs); !fault.empty())
      train.fail("lr_schedule", "[[train.lr_schedule]]: " + fault);
}

void read_loss(TomlSection& train, Loss& loss) {
  constexpr std::array kKinds{Loss::Kind::SquaredError, Loss::Kind::CrossEntropy, Loss::Kind::Power};
  constexpr std::array<std::string_view, 3> kNames{"squared_error", "cross_entropy", "power"};
  std::size_t kind = 0;
  train.read_choice("loss", kNames, kind);
  loss.kind = kKinds[kind];
  train.read("loss_power", 1.0, 8.0, loss.power);
  if (train.has("loss_power") && loss.kind != Loss::Kind::Power)
    train.fail("loss_power", "'train.loss_power' has a meaning only with loss = \"power\"");
}

}  // namespace farrier
