#include "selfplay/match/child_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sstream>
#include <thread>

#include "engine/base/error.h"

extern char** environ;

namespace farrier {
namespace {

/// The file that would be executed, as an absolute path; the program's own text if there is none.
std::string executable_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return std::filesystem::absolute(program).string();
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + program;
    if (::access(candidate.c_str(), X_OK) == 0) return std::filesystem::absolute(candidate).string();
  }
  return program;
}

/// What the child does between fork and exec: system calls only, since another thread may have held a lock.
struct ChildStart {
  const char* path;
  char* const* argv;
  const char* folder;
  const cpu_set_t* cores;
  int input, output, errors, report;
  pid_t parent;

  [[noreturn]] void operator()() const {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // even our own sudden death leaves no engine running
    if (::getppid() != parent) ::_exit(127);
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD})
      ::sigaction(signal, &action, nullptr);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    const bool placed = (folder == nullptr || ::chdir(folder) == 0) &&
                        (cores == nullptr || ::sched_setaffinity(0, sizeof *cores, cores) == 0);
    if (placed) ::execve(path, argv, environ);
    const int error = errno;
    if (::write(report, &error, sizeof error) < 0) ::_exit(126);
    ::_exit(127);
  }
};

}  // namespace

void FileDescriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw UserError("engines",
                    fmt::format("no pipe can be opened ({}); use fewer --workers", std::strerror(errno)));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

ChildProcess::ChildProcess(const ChildCommand& command) {
  static std::once_flag once;
  // A dead engine is told by a failed write, not by our own death.
  std::call_once(once, [] { std::signal(SIGPIPE, SIG_IGN); });

  const std::string path = executable_path(command.program);
  const std::string folder = command.folder.string();
  std::vector<std::string> words = command.args;
  words.insert(words.begin(), command.program);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (command.core) CPU_SET(static_cast<std::size_t>(*command.core), &cores);

  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe(), report = make_pipe();
  const ChildStart start{.path = path.c_str(),
                         .argv = argv.data(),
                         .folder = folder.empty() ? nullptr : folder.c_str(),
                         .cores = command.core ? &cores : nullptr,
                         .input = in.read.get(),
                         .output = out.write.get(),
                         .errors = err.write.get(),
                         .report = report.write.get(),
                         .parent = ::getpid()};
  pid_ = ::fork();
  if (pid_ == 0) start();
  if (pid_ < 0) throw UserError(command.program, fmt::format("cannot be started ({})", std::strerror(errno)));
  ::setpgid(pid_, pid_);  // whoever of the two comes first
  report.write.close();
  int error = 0;
  ssize_t n;
  do n = ::read(report.read.get(), &error, sizeof error);
  while (n < 0 && errno == EINTR);
  if (n == static_cast<ssize_t>(sizeof error)) {
    kill_group();
    throw UserError(command.program, fmt::format("cannot be started ({}){}", std::strerror(error),
                                                 folder.empty() ? "" : " in " + folder));
  }
  input_ = std::move(in.write);
  output_ = std::move(out.read);
  errors_ = std::move(err.read);
  ::fcntl(input_.get(), F_SETFL, O_NONBLOCK);
}

ChildProcess::~ChildProcess() { kill_group(); }

bool ChildProcess::ended() {
  if (end_) return true;
  siginfo_t info{};
  // Without reaping: the group keeps its number until we have killed what is left of it.
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return false;
  if (info.si_pid != pid_) return false;
  end_ = {info.si_code, info.si_status};
  return true;
}

bool ChildProcess::wait(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!ended()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

void ChildProcess::kill_group() {
  if (pid_ < 0 || reaped_) return;
  ended();  // remembers how it ended by itself
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  reaped_ = true;
  if (!end_) end_ = {CLD_KILLED, SIGKILL};
}

std::string ChildProcess::end_text() const {
  if (!end_) return "still runs";
  const auto [how, status] = *end_;
  if (how == CLD_EXITED) return fmt::format("exit status {}", status);
  return fmt::format("killed by signal {} ({})", status, ::strsignal(status));
}

std::vector<int> allowed_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  std::vector<int> numbers;
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return numbers;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(static_cast<std::size_t>(core), &cores)) numbers.push_back(core);
  return numbers;
}

}  // namespace farrier
