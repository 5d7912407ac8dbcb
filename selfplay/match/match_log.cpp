#include "selfplay/match/match_log.h"

#include <fmt/chrono.h>

#include <chrono>
#include <fstream>

#include "engine/base/error.h"

namespace farrier {

void MatchLog::add(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (path_.empty()) {
    fmt::print(stderr, "{}\n", text);
    return;
  }
  std::ofstream file(path_, std::ios::app);
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  file << fmt::format("== {:%Y-%m-%d %H:%M:%S} UTC\n", fmt::gmtime(now)) << text;
  if (!text.ends_with('\n')) file << '\n';
  file.close();
  if (!file) throw UserError(path_.string(), "the match's log cannot be written; give another --log");
}

}  // namespace farrier
