#include "engine/verbs.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/number.h"
#include "engine/chess/notation.h"
#include "engine/nnue/default_nets.h"
#include "engine/nnue/overflow.h"
#include "engine/protocol/session.h"

namespace farrier {
namespace {

struct Sibling {
  std::string_view program;
  std::string_view needs;
  std::array<std::string_view, 6> verbs;
};
constexpr std::array<Sibling, 2> kSiblings{
    {{"farrier-selfplay", "HDF5 and oneTBB", {"selfplay", "data", "match", "rate", "tune"}},
     {"farrier-trainer", "LibTorch", {"run", "train", "sweep", "export", "publish", "report"}}}};

/// Positions that bench searches: the start, and middlegames with open lines, checks and men in hand.
struct BenchPosition {
  Variant variant;
  const char* fen;
};
constexpr std::array<BenchPosition, 12> kBenchPositions{{
    {Variant::Chess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
    {Variant::Chess, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"},
    {Variant::Chess, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"},
    {Variant::Crazyhouse, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"},
    {Variant::Crazyhouse, "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1"},
    {Variant::Crazyhouse, "1n6/1Q4p1/8/pQ~p1kqQ~1/bPP3b1/p1RpP1PP/3q~1PK1/N4BNR[RRBPnp] w - - 0 47"},
    {Variant::Knightmate, "rmbqkbmr/pppppppp/8/8/8/8/PPPPPPPP/RMBQKBMR w KQkq - 0 1"},
    {Variant::Knightmate, "r1b1kbmr/pmp2ppp/1p1p1q2/4p3/2B1P3/1P6/P1PPMPPP/RMBQK2R w KQkq - 0 1"},
    {Variant::Knightmate, "r2m1bm1/p3p1p1/3pk1P1/PQp5/1p1r4/1P1PP3/8/1MB1KRM1 w - - 1 32"},
    {Variant::PocketKnight, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQkq - 0 1"},
    {Variant::PocketKnight, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[Nn] w KQkq - 0 1"},
    {Variant::PocketKnight, "rnb1kbnr/p1p2pp1/q6p/2NppP2/1p5P/1P4P1/P1PPP3/RNBQKBNR[n] w KQkq - 0 8"},
}};
constexpr int kBenchDepth = 9;

Variant variant_argument(const std::string& name) {
  const auto variant = variant_from_name(name);
  if (!variant)
    throw WrongCall("variant '" + name + "'", "is not known; there are " + std::string(variant_names()));
  return *variant;
}

int wrong_call(const std::string& usage) {
  std::cerr << "usage: " << usage << '\n';
  return kExitWrongCall;
}

bool asks_for_help(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const std::string& a) { return a == "--help" || a == "-h"; });
}

std::unique_ptr<Session> session_at(Variant variant, const std::string& fen) {
  auto session = make_session(variant);
  session->set_position(fen.empty() ? std::string(start_fen(variant)) : fen, {})
      .value_or_throw("'" + fen + "'");
  return session;
}

/// Where this program may lie: by the kernel's word, and by the call, for systems without /proc.
std::vector<std::filesystem::path> own_folders(const std::string& call) {
  std::vector<std::filesystem::path> folders;
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(self.parent_path());
  if (call.find('/') != std::string::npos) folders.push_back(std::filesystem::path(call).parent_path());
  return folders;
}

/// Takes `--net FILE` out of the arguments: a file, `material` for none, absent for the variant's default
/// net.
std::shared_ptr<const Net> take_net(std::vector<std::string>& arguments, Variant variant) {
  const auto flag = std::find(arguments.begin(), arguments.end(), "--net");
  if (flag == arguments.end()) return default_net(variant).net;
  if (flag + 1 == arguments.end()) throw WrongCall("--net", "needs a file");
  const std::string file = *(flag + 1);
  arguments.erase(flag, flag + 2);
  if (file == "material") return nullptr;
  auto net = std::make_shared<const Net>(read_net(file));
  if (net->variant != variant)
    throw UserError(file, "is a net for " + std::string(variant_name(net->variant)) + "; give one for " +
                              std::string(variant_name(variant)));
  return net;
}

}  // namespace

int bench_verb(const std::vector<std::string>& arguments) {
  const std::string usage = "farrier bench [VARIANT...]";
  if (asks_for_help(arguments)) {
    std::cout << "usage: " << usage << "\nSearches fixed positions by material to depth " << kBenchDepth
              << " and prints the nodes of each variant: the same\nnumbers on every machine, until a change "
                 "of the search "
                 "changes what it plays.\n";
    return kExitOk;
  }
  std::vector<Variant> variants;
  for (const std::string& name : arguments) variants.push_back(variant_argument(name));
  if (variants.empty()) variants.assign(kAllVariants.begin(), kAllVariants.end());

  std::uint64_t total = 0;
  const auto start = std::chrono::steady_clock::now();
  for (Variant variant : variants) {
    std::uint64_t nodes = 0;
    for (const BenchPosition& position : kBenchPositions) {
      if (position.variant != variant) continue;
      SearchLimits limits;
      limits.depth = kBenchDepth;
      nodes += session_at(variant, position.fen)->search(limits, {}).nodes;
    }
    std::cout << variant_name(variant) << ' ' << nodes << '\n';
    total += nodes;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::cerr << total << " nodes, " << static_cast<std::uint64_t>(static_cast<double>(total) / elapsed.count())
            << " nodes/s\n";
  return kExitOk;
}

int perft_verb(const std::vector<std::string>& arguments) {
  const std::string usage = "farrier perft VARIANT DEPTH [FEN]";
  if (asks_for_help(arguments)) {
    std::cout << "usage: " << usage << "\nCounts the move paths of DEPTH moves, split by first move.\n";
    return kExitOk;
  }
  if (arguments.size() < 2 || arguments.size() > 3) return wrong_call(usage);
  const Variant variant = variant_argument(arguments[0]);
  const std::string& text = arguments[1];
  const auto depth = to_number(text);
  if (!depth || *depth < 1 || *depth > 20) throw WrongCall("depth '" + text + "'", "must be from 1 to 20");
  std::uint64_t total = 0;
  const auto session = session_at(variant, arguments.size() > 2 ? arguments[2] : "");
  session->perft(static_cast<int>(*depth), SearchControl(), [&total](Move move, std::uint64_t paths) {
    std::cout << to_uci(move) << ": " << paths << '\n';
    total += paths;
  });
  std::cout << "\nNodes searched: " << total << '\n';
  return kExitOk;
}

int eval_verb(const std::vector<std::string>& arguments) {
  const std::string usage = "farrier eval VARIANT [FEN] [--net FILE|material]";
  if (asks_for_help(arguments)) {
    std::cout << "usage: " << usage
              << "\nPrints a position's static evaluation by the net and by material.\n";
    return kExitOk;
  }
  if (arguments.empty()) return wrong_call(usage);
  const Variant variant = variant_argument(arguments[0]);
  std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  SearcherOptions options;
  options.net = take_net(rest, variant);
  if (rest.size() > 1) return wrong_call(usage);
  const auto session = session_at(variant, rest.empty() ? "" : rest[0]);
  std::cout << session->fen() << "\nmaterial  " << session->evaluate() << " cp from the side to move\n";
  if (!options.net) return kExitOk;
  session->configure(options);
  std::cout << "net       " << session->evaluate() << " cp from the side to move\n";
  return kExitOk;
}

int net_verb(const std::vector<std::string>& arguments) {
  const std::string usage = "farrier net info FILE";
  if (asks_for_help(arguments)) {
    std::cout << "usage: " << usage
              << "\nProves a net file (checksum, sizes, integer bounds) and tells what it is.\n";
    return kExitOk;
  }
  if (arguments.size() != 2 || arguments[0] != "info") return wrong_call(usage);
  const Net net = read_net(arguments[1]);
  std::cout << "variant: " << variant_name(net.variant) << "\narchitecture: " << describe(net.architecture)
            << "\nscale_cp: " << net.scale_cp << "\nlargest_accumulator: " << *prove_no_overflow(net)
            << " of 32767\n";
  for (const auto& [key, value] : net.notes)
    if (key != "largest_accumulator") std::cout << key << ": " << value << '\n';  // proved anew above
  return kExitOk;
}

int hand_to_sibling(const std::string& verb, char** argv) {
  for (const Sibling& sibling : kSiblings) {
    if (std::find(sibling.verbs.begin(), sibling.verbs.end(), verb) == sibling.verbs.end()) continue;
    const std::string program(sibling.program);
    for (const std::filesystem::path& folder : own_folders(argv[0]))
      ::execv((folder / program).c_str(), argv);
    ::execvp(program.c_str(), argv);
    throw UserError("verb '" + verb + "'", "needs the program " + program +
                                               ", which is not beside farrier (" + std::strerror(errno) +
                                               "); build it with " + std::string(sibling.needs) +
                                               " installed: ./quickstart does so");
  }
  std::cerr << "farrier: no verb is named '" << verb << "'; 'farrier --help' lists them\n";
  return kExitWrongCall;
}

}  // namespace farrier
