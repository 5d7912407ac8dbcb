#include "tests/support/uci_process.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace farrier {

UciProcess::UciProcess(const std::string& program) {
  std::array<int, 2> to{}, from{};
  if (pipe(to.data()) != 0 || pipe(from.data()) != 0) throw std::runtime_error("no pipe");
  std::signal(SIGPIPE, SIG_IGN);  // a dead child is told by its closed output
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no child process");
  if (pid_ == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    for (int end : {to[0], to[1], from[0], from[1]}) close(end);
    execl(program.c_str(), program.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  to_ = fdopen(to[1], "w");
  from_ = fdopen(from[0], "r");
  send("uci");
  while (read_line() != "uciok") {
  }
}

UciProcess::~UciProcess() {
  send("quit");
  std::fclose(to_);
  std::fclose(from_);
  waitpid(pid_, nullptr, 0);
}

void UciProcess::send(const std::string& line) {
  std::fputs((line + "\n").c_str(), to_);
  std::fflush(to_);
}

std::string UciProcess::read_line() {
  std::string line;
  for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
    if (c == EOF) throw std::runtime_error("the engine ended");
    line += static_cast<char>(c);
  }
  return line;
}

void UciProcess::wait_until_ready() {
  send("isready");
  while (read_line() != "readyok") {
  }
}

std::map<std::string, std::uint64_t> UciProcess::perft_divide(const std::string& fen, int depth) {
  send("position fen " + fen);
  send("go perft " + std::to_string(depth));
  std::map<std::string, std::uint64_t> paths;
  for (std::string line = read_line(); !line.starts_with("Nodes searched"); line = read_line())
    if (const std::size_t colon = line.find(": "); colon != std::string::npos && line.find(' ') == colon + 1)
      paths[line.substr(0, colon)] = std::stoull(line.substr(colon + 2));
  return paths;
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path == nullptr ? "" : path) + ":/usr/games:/usr/local/games");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = std::move(folder) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

}  // namespace farrier
