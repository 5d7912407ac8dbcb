// farrier-trainer: fits nets to recorded games and exports them.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>

#include <fmt/core.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include "engine/base/error.h"
#include "engine/base/version.h"
#include "trainer/kept_memory.h"
#include "trainer/run_verb.h"
#include "trainer/sweep_verb.h"
#include "trainer/train_verb.h"

namespace {

std::atomic<bool> stop_requested{false};

/// The first signal asks for a clean stop; the second one, for those in a hurry, kills.
void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

int main(int argc, char** argv) {
  farrier::keep_freed_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no further is an error like a full disk
  spdlog::set_default_logger(spdlog::stderr_logger_st("farrier-trainer"));
  spdlog::set_pattern("%H:%M:%S %v");
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);

  CLI::App app("Fits evaluation networks for chess variants to recorded games", "farrier-trainer");
  app.set_version_flag("--version",
                       fmt::format("farrier {} ({})", farrier::program_version(), farrier::program_commit()));
  app.require_subcommand(1);
  std::function<int()> todo;
  farrier::add_train_verb(app, todo, stop_requested);
  farrier::add_export_verb(app, todo);
  farrier::add_run_verb(app, todo, stop_requested);
  farrier::add_sweep_verb(app, todo, stop_requested);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    return todo();
  } catch (const farrier::WrongCall& e) {
    fmt::print(stderr, "farrier-trainer: {}\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "farrier-trainer: {}\n", e.what());
    return 1;
  }
}
