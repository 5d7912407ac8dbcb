#include "selfplay/match/engine_process.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace farrier {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kTranscriptLines = 200;
constexpr std::size_t kTranscriptLineLength = 1000;
constexpr std::size_t kMaxLineLength = 1 << 16;  // the rest of a longer line is dropped
constexpr std::size_t kMaxWaitingLines = 4096;
constexpr std::size_t kWakingLines = 256;  // so many "info" lines wake the referee all the same
constexpr milliseconds kWriteTimeout{2000};
/// How often a wait looks whether the process still lives: a child of its own can keep its pipe open.
constexpr milliseconds kLifeCheck{100};

/// Cuts a stream of bytes into lines.
class LineCutter {
 public:
  template <class Emit>
  void add(std::string_view bytes, Emit&& emit) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      line_ += part.substr(0, kMaxLineLength - std::min(line_.size(), kMaxLineLength));
      if (end == std::string_view::npos) return;
      bytes.remove_prefix(end + 1);
      if (line_.ends_with('\r')) line_.pop_back();
      emit(std::move(line_));
      line_.clear();
    }
  }

 private:
  std::string line_;
};

}  // namespace

void Transcript::add(SteadyTime at, char direction, std::string_view line) {
  if (entries_.size() == kTranscriptLines) entries_.pop_front();
  entries_.push_back({std::chrono::duration<double>(at - start_).count(), direction,
                      std::string(line.substr(0, kTranscriptLineLength))});
}

std::string Transcript::text() const {
  std::string text;
  for (const Entry& entry : entries_)
    text += fmt::format("{:12.6f} {} {}\n", entry.seconds, entry.direction, entry.line);
  return text;
}

EngineProcess::EngineProcess(const ChildCommand& command)
    : child_(command), wake_(make_pipe()), reader_([this] { read_lines(); }) {}

EngineProcess::~EngineProcess() { kill(); }

bool EngineProcess::send(std::string_view line) {
  std::string text(line);
  {
    const std::lock_guard lock(mutex_);
    transcript_.add(steady_clock::now(), '>', line);
  }
  text += '\n';
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = ::write(child_.input(), text.data() + written, text.size() - written);
    if (n > 0) {
      written += static_cast<std::size_t>(n);
    } else if (n < 0 && errno == EAGAIN) {
      pollfd full{.fd = child_.input(), .events = POLLOUT, .revents = 0};
      if (::poll(&full, 1, static_cast<int>(kWriteTimeout.count())) <= 0 && errno != EINTR) return false;
    } else if (n < 0 && errno != EINTR) {
      return false;
    }
  }
  return true;
}

std::optional<StampedLine> EngineProcess::take() {
  if (lines_.empty()) return std::nullopt;
  StampedLine line = std::move(lines_.front());
  lines_.pop_front();
  if (lines_.size() == kMaxWaitingLines / 2) taken_.notify_one();
  return line;
}

std::optional<StampedLine> EngineProcess::next_line(SteadyTime deadline) {
  std::unique_lock lock(mutex_);
  for (bool ended = false;;) {
    if (auto line = take()) return line;
    if (reader_done_ || ended) {
      gone_ = true;
      lock.unlock();
      child_.wait(milliseconds(500));  // a closed output comes a moment before the end
      return std::nullopt;
    }
    const SteadyTime now = steady_clock::now();
    if (now >= deadline) return std::nullopt;
    const auto woken = [this] { return !lines_.empty() || reader_done_; };
    if (arrived_.wait_until(lock, std::min(deadline, now + kLifeCheck)) == std::cv_status::no_timeout ||
        woken())
      continue;
    if (child_.ended()) {  // its last words may still be on their way
      arrived_.wait_for(lock, milliseconds(50), woken);
      ended = true;
    }
  }
}

void EngineProcess::deliver(SteadyTime at, std::string&& line) {
  std::unique_lock lock(mutex_);
  taken_.wait(lock, [this] { return lines_.size() < kMaxWaitingLines || closing_; });
  if (closing_) return;
  transcript_.add(at, '<', line);
  const bool wakes = !line.starts_with("info") || lines_.size() >= kWakingLines;
  lines_.push_back({at, std::move(line)});
  if (wakes) arrived_.notify_one();
}

void EngineProcess::read_lines() {
  std::array<pollfd, 3> sources{
      {{child_.output(), POLLIN, 0}, {child_.errors(), POLLIN, 0}, {wake_.read.get(), POLLIN, 0}}};
  std::array<LineCutter, 2> cutters;
  std::vector<char> buffer(1 << 16);
  while (sources[0].fd >= 0) {
    if (::poll(sources.data(), sources.size(), -1) < 0) continue;
    const SteadyTime now = steady_clock::now();
    if (sources[2].revents != 0) break;
    for (std::size_t i = 0; i < cutters.size(); ++i) {
      if (sources[i].revents == 0) continue;
      const ssize_t n = ::read(sources[i].fd, buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        sources[i].fd = -1;  // poll passes over it
        continue;
      }
      cutters[i].add({buffer.data(), static_cast<std::size_t>(n)}, [&](std::string&& line) {
        if (i == 0) return deliver(now, std::move(line));
        const std::lock_guard lock(mutex_);
        transcript_.add(now, '!', line);
      });
    }
  }
  const std::lock_guard lock(mutex_);
  reader_done_ = true;
  arrived_.notify_one();
}

void EngineProcess::quit(milliseconds patience) {
  if (!gone_) {
    send("quit");
    child_.close_input();
    child_.wait(patience);
  }
  kill();
}

void EngineProcess::kill() {
  if (!reader_.joinable()) return;
  gone_ = true;
  child_.kill_group();
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    taken_.notify_one();
  }
  wake_.write.close();
  reader_.join();
}

std::string EngineProcess::transcript() const {
  const std::lock_guard lock(mutex_);
  return transcript_.text();
}

}  // namespace farrier
