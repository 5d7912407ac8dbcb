// A program as a child process on three pipes, in a process group of its own, so that ending it ends what it
// started.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace farrier {

/// Owns a file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int get() const { return fd_; }
  void close();

 private:
  int fd_;
};

struct Pipe {
  FileDescriptor read, write;
};
/// Both ends are closed in programs that are executed. Throws UserError where no descriptor is left.
Pipe make_pipe();

struct ChildCommand {
  std::string program;  // a path, or a name that is looked for in PATH
  std::vector<std::string> args;
  std::filesystem::path folder;  // where it runs; empty: where we do
  std::optional<int> core;       // the only one that it may run on
};

class ChildProcess {
 public:
  /// Throws UserError if the program can't be executed.
  explicit ChildProcess(const ChildCommand& command);
  /// Kills the group.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  int input() const { return input_.get(); }  // never blocks
  int output() const { return output_.get(); }
  int errors() const { return errors_.get(); }
  void close_input() { input_.close(); }

  /// Whether the program has ended; its own children may live on.
  bool ended();
  /// Waits for its end, at most so long.
  bool wait(std::chrono::milliseconds patience);
  /// Ends the program and all that is left of its group, and leaves no zombie.
  void kill_group();
  /// "exit status 1", "killed by signal 11 (Segmentation fault)"; only once it has ended.
  std::string end_text() const;

 private:
  pid_t pid_ = -1;
  bool reaped_ = false;
  std::optional<std::pair<int, int>> end_;  // how (si_code) and with which status it ended
  FileDescriptor input_, output_, errors_;
};

/// The cores that this process may run on.
std::vector<int> allowed_cores();

}  // namespace farrier
