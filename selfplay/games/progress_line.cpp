#include "selfplay/games/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace farrier {

using Clock = std::chrono::steady_clock;

namespace {

/// A line that wraps can't be rewritten.
std::string_view cut_to_terminal(std::string_view line) {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return line;
  return line.substr(0, size.ws_col - 1);
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDOUT_FILENO) == 1), last_(Clock::now()) {}

bool ProgressLine::due() const {
  return Clock::now() - last_ >= (terminal_ ? std::chrono::seconds(1) : std::chrono::seconds(60));
}

void ProgressLine::show(const std::string& line) {
  if (terminal_)
    fmt::print("\r\x1b[K{}", cut_to_terminal(line));
  else
    fmt::print("{}\n", line);
  std::fflush(stdout);
  open_ = terminal_;
  last_ = Clock::now();
}

void ProgressLine::finish() {
  if (open_) fmt::print("\n");
  open_ = false;
}

Heartbeat::Heartbeat(std::function<void()> tick)
    : thread_([this, tick = std::move(tick)] {
        std::unique_lock lock(mutex_);
        while (!ended_changed_.wait_for(lock, std::chrono::milliseconds(250), [this] { return ended_; }))
          tick();
      }) {}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_all();
  thread_.join();
}

std::string duration_text(double seconds) {
  const auto s = static_cast<long long>(std::max(0.0, seconds) + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

}  // namespace farrier
