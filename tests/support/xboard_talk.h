// A talk with the engine in XBoard's protocol, and what tests ask of its answers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/protocol/xboard.h"
#include "tests/support/conversation.h"

namespace farrier {

/// A conversation past its opening; moves are found at a small depth, so that nothing waits for a clock.
class Talk : public Conversation {
 public:
  explicit Talk(std::string_view variant = "normal") : Conversation(run_xboard) {
    send("xboard");
    ask("protover 2", "feature done=1");
    send("new");
    send("variant " + std::string(variant));
    send("sd 4");
    settle();
  }

  /// All that was asked for is done; returns what was said meanwhile.
  std::vector<std::string> settle() {
    take_passed();
    const std::string number = std::to_string(++pings_);
    EXPECT_EQ(ask("ping " + number, "pong"), "pong " + number);
    return take_passed();
  }
  /// What is said to these lines, once they are done.
  std::vector<std::string> say(const std::vector<std::string>& lines) {
    settle();
    for (const std::string& line : lines) send(line);
    auto answers = settle();
    answers.pop_back();                                                              // the pong
    std::erase_if(answers, [](const std::string& line) { return line[0] == '#'; });  // comments
    return answers;
  }
  /// The engine's own move in answer to these lines.
  std::string move_after(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) send(line);
    const std::string line = expect("move ");
    return line.empty() ? line : line.substr(5);
  }

 private:
  int pings_ = 0;
};

using Lines = std::vector<std::string>;

inline bool any_begins(const Lines& lines, std::string_view beginning) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.starts_with(beginning); });
}

inline bool is_thinking_line(const std::string& line) {
  std::istringstream words(line);
  long depth = 0, score = 0, time = 0, nodes = 0;
  return static_cast<bool>(words >> depth >> score >> time >> nodes);
}
inline bool any_thinks(const Lines& lines) {
  return std::any_of(lines.begin(), lines.end(), is_thinking_line);
}

}  // namespace farrier
