// A talk with a child process, line by line: a thread reads and stamps each line the moment it arrives, so that
// no clock depends on when the referee wakes up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "selfplay/match/child_process.h"

namespace farrier {

using SteadyTime = std::chrono::steady_clock::time_point;

struct StampedLine {
  SteadyTime at;
  std::string text;
};

/// The last lines of the talk, both ways, with their times. Whoever uses it holds the lock.
class Transcript {
 public:
  void add(SteadyTime at, char direction, std::string_view line);
  /// One line each: seconds since the start, `>` for ours, `<` for the engine's, `!` for its standard error.
  std::string text() const;

 private:
  struct Entry {
    double seconds;
    char direction;
    std::string line;
  };
  SteadyTime start_ = std::chrono::steady_clock::now();
  std::deque<Entry> entries_;
};

class EngineProcess {
 public:
  /// Throws UserError if the program can't be executed.
  explicit EngineProcess(const ChildCommand& command);
  /// Kills the engine and all that it started.
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  /// False if the engine is gone or has not read its input for seconds.
  bool send(std::string_view line);
  /// The next line; nothing at the deadline or if the engine `is_gone`. Lines that begin with "info" don't wake
  /// the caller by themselves, they are there when he wakes up.
  std::optional<StampedLine> next_line(SteadyTime deadline);
  /// The engine has ended and all its lines are read.
  bool is_gone() const { return gone_; }
  /// A line that has arrived already, if any.
  std::optional<StampedLine> waiting_line();

  /// Says `quit` and waits at most so long for the engine's end; then kills what is left of its group.
  void quit(std::chrono::milliseconds patience);
  void kill();
  std::string end_text() const { return child_.end_text(); }
  std::string transcript() const;

 private:
  void read_lines();
  /// Keeps the line; waits while the referee doesn't take lines, which slows a flooding engine down.
  void deliver(SteadyTime at, std::string&& line);
  std::optional<StampedLine> take();

  ChildProcess child_;
  Pipe wake_;  // ends the reader
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::condition_variable taken_;
  std::deque<StampedLine> lines_;
  Transcript transcript_;
  bool reader_done_ = false;
  bool closing_ = false;
  bool gone_ = false;  // the referee's alone
  std::thread reader_;
};

}  // namespace farrier
