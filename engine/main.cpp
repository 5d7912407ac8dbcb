// `farrier`: plays by itself, and hands the verbs of its siblings to them.
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/version.h"
#include "engine/nnue/kernels.h"
#include "engine/protocol/uci.h"
#include "engine/protocol/xboard.h"
#include "engine/verbs.h"

namespace {

constexpr std::string_view kHelp =
    R"(farrier: plays chess variants and trains their nets from nothing but the rules.

  farrier [uci]                      play: the UCI protocol on standard input and output
  farrier xboard                     play: XBoard's protocol; UCI turns to it when the program says xboard
  farrier bench [VARIANT...]         search fixed positions, print the node counts
  farrier perft VARIANT DEPTH [FEN]  count move paths
  farrier eval VARIANT [FEN] [--net FILE]
  farrier net info FILE              what a net file is

  farrier run CONFIG                 train: generations of self-play, training and a match   (farrier-trainer)
  farrier train, export              the loop's parts by themselves                          (farrier-trainer)
  farrier sweep                      many trainings with different settings, in a table      (farrier-trainer)
  farrier selfplay, data             games into records, and what is in them                 (farrier-selfplay)
  farrier match, rate                who is stronger, and by how much                        (farrier-selfplay)

Each verb explains itself with --help. Exit status: 0, 1 (failed), 2 (wrong call).
)";

int run(const std::string& verb, const std::vector<std::string>& arguments, char** argv) {
  using namespace farrier;
  const bool wants_help = !arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h");
  if (verb == "--help" || verb == "-h" || verb == "help" ||
      ((verb == "uci" || verb == "xboard") && wants_help)) {
    std::cout << kHelp;
    return kExitOk;
  }
  if ((verb == "uci" || verb == "xboard") && !arguments.empty())
    throw WrongCall(verb, "takes no arguments, not '" + arguments[0] + "'");
  if (verb.empty() || verb == "uci") {
    run_uci(std::cin, std::cout);
    return kExitOk;
  }
  if (verb == "xboard") {
    run_xboard(std::cin, std::cout);
    return kExitOk;
  }
  if (verb == "--version") {
    std::cout << "farrier " << program_version() << " (" << program_commit() << ", "
              << kernel_levels().back().name << ")\n";
    return kExitOk;
  }
  if (verb == "bench") return bench_verb(arguments);
  if (verb == "perft") return perft_verb(arguments);
  if (verb == "eval") return eval_verb(arguments);
  if (verb == "net") return net_verb(arguments);
  return hand_to_sibling(verb, argv);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  const std::vector<std::string> arguments(argv + std::min(argc, 2), argv + argc);
  try {
    const int status = run(verb, arguments, argv);
    if (!std::cout.flush())
      throw farrier::UserError("standard output", "can't be written: is the disk full?");
    return status;
  } catch (const farrier::WrongCall& error) {
    std::cerr << "farrier: " << error.what() << '\n';
    return farrier::kExitWrongCall;
  } catch (const std::exception& error) {
    std::cerr << "farrier: " << error.what() << '\n';
    return farrier::kExitFailed;
  }
}
