// A line about long work: rewritten every second on a terminal, printed once a minute elsewhere.
#pragma once

#include <chrono>
#include <string>

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

/// "48 s", "3 min 20 s", "2 h 05 min".
std::string duration_text(double seconds);

}  // namespace farrier
