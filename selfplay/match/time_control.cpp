#include "selfplay/match/time_control.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace farrier {
namespace {

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Seconds with decimals, from a millisecond to a week.
std::optional<std::chrono::milliseconds> seconds(std::string_view text) {
  constexpr double kWeek = 7 * 24 * 3600;
  const std::optional<double> value = number<double>(text);
  if (!value || !(*value >= 0) || *value > kWeek) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(*value * 1000 + 0.5));
}

std::string seconds_text(std::chrono::milliseconds time) {
  return fmt::format("{:g}", static_cast<double>(time.count()) / 1000);
}

}  // namespace

Result<TimeControl> parse_time_control(std::string_view text) {
  const Failure failure{fmt::format(
      "\"{}\" is no time control; write [moves/]seconds[+seconds], as in 10+0.1 or 40/60+0.6", text)};
  TimeControl control;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::optional<int> moves = number<int>(text.substr(0, slash));
    if (!moves || *moves < 1) return failure;
    control.moves = *moves;
    text.remove_prefix(slash + 1);
  }
  const std::size_t plus = text.find('+');
  const auto base = seconds(text.substr(0, plus));
  const auto increment =
      plus == std::string_view::npos ? std::chrono::milliseconds(0) : seconds(text.substr(plus + 1));
  if (!base || !increment || base->count() < 1) return failure;
  control.base = *base;
  control.increment = *increment;
  return control;
}

std::string to_text(const TimeControl& control) {
  std::string text = control.moves > 0 ? fmt::format("{}/", control.moves) : "";
  text += seconds_text(control.base);
  if (control.increment.count() > 0) text += "+" + seconds_text(control.increment);
  return text;
}

GameClock::GameClock(const TimeControl& control)
    : control_(control), left_(control.base), moves_to_go_(control.moves) {}

ClockReading GameClock::reading() const {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(left_).count();
  return {.time_ms = std::max<std::int64_t>(ms, 1),
          .increment_ms = control_.increment.count(),
          .moves_to_go = moves_to_go_};
}

bool GameClock::spend(std::chrono::nanoseconds elapsed, std::chrono::nanoseconds margin) {
  left_ -= elapsed;
  if (left_ + margin < std::chrono::nanoseconds(0)) return false;
  left_ = std::max(left_, std::chrono::nanoseconds(0)) + control_.increment;
  if (control_.moves > 0 && --moves_to_go_ == 0) {
    left_ += control_.base;
    moves_to_go_ = control_.moves;
  }
  return true;
}

}  // namespace farrier
