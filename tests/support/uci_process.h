// A UCI engine as a child process on two pipes: what tests ask peers with.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

#include <sys/types.h>

namespace farrier {

class UciProcess {
 public:
  /// Starts the program and waits for `uciok`; throws std::runtime_error where that fails.
  explicit UciProcess(const std::string& program);
  ~UciProcess();
  UciProcess(const UciProcess&) = delete;
  UciProcess& operator=(const UciProcess&) = delete;

  void send(const std::string& line);
  /// The next line; throws std::runtime_error when the program has ended.
  std::string read_line();
  /// Answers `isready`: all before is done.
  void wait_until_ready();

  /// `go perft`: paths by first move. The position is set before.
  std::map<std::string, std::uint64_t> perft_divide(const std::string& fen, int depth);

 private:
  pid_t pid_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

/// The path of an installed program, looked for in PATH and /usr/games; empty if there is none.
std::string find_program(const std::string& name);

}  // namespace farrier
