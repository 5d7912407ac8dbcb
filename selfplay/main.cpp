// farrier-selfplay: games, records and matches.
#include <cstdio>
#include <exception>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "engine/base/error.h"
#include "engine/base/version.h"
#include "selfplay/data/data_verbs.h"
#include "selfplay/games/selfplay_verb.h"
#include "selfplay/match/match_verb.h"
#include "selfplay/match/rate_verb.h"
#include "selfplay/tune/tune_verb.h"

namespace {

/// `status`, unless what was printed could not be written.
int finish_output(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  fmt::print(stderr, "farrier-selfplay: standard output: can't be written: is the disk full?\n");
  return status == 0 ? 1 : status;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Plays games of chess variants into records, looks at records, and holds matches.",
               "farrier-selfplay");
  app.set_version_flag("--version",
                       fmt::format("farrier {} ({})", farrier::program_version(), farrier::program_commit()));
  app.require_subcommand(1);
  farrier::add_selfplay_verb(app);
  farrier::add_data_verbs(app);
  farrier::add_match_verb(app);
  farrier::add_rate_verb(app);
  farrier::add_tune_verb(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& end) {  // a verb that ran to its end, with a status of its own
    return finish_output(end.get_exit_code());
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const farrier::WrongCall& error) {
    fmt::print(stderr, "farrier-selfplay: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "farrier-selfplay: {}\n", error.what());
    return 1;
  }
  return finish_output(0);
}
