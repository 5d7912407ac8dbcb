// A line about long work: rewritten every second on a terminal, printed once a minute elsewhere.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace farrier {

class ProgressLine {
 public:
  ProgressLine();

  /// Whether it is time to show something; cheap enough to ask after every game.
  bool due() const;
  void show(const std::string& line);
  /// Ends the line on a terminal, so that other output starts on one of its own.
  void finish();

 private:
  bool terminal_;
  bool open_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// Calls `tick` from a thread of its own, some times a second, as long as it lives: so that work that has come to a
/// stand still says so.
class Heartbeat {
 public:
  explicit Heartbeat(std::function<void()> tick);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_changed_;
  bool ended_ = false;
  std::thread thread_;
};

/// "48 s", "3 min 20 s", "2 h 05 min".
std::string duration_text(double seconds);

}  // namespace farrier
