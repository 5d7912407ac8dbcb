// A chess engine that plays the first legal move and misbehaves as it is told: what a match must survive.
//   faulty_engine FAULT [at=N] [once=FILE] [pids=FILE] [ms=N]
// The fault happens at the N-th `go` (1); with `once` only while FILE doesn't exist, and FILE is made. The process
// ids of the engine and its children are appended to `pids`.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "engine/chess/fen.h"
#include "engine/chess/movegen.h"
#include "engine/chess/notation.h"
#include "engine/chess/outcome.h"
#include "engine/variants/standard_rules.h"

namespace farrier {
namespace {

struct Orders {
  std::string fault;
  int at = 1;
  int ms = 0;
  std::string once, pids;
};

Orders read_orders(int argc, char** argv) {
  Orders orders;
  if (argc > 1) orders.fault = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string value = word.substr(word.find('=') + 1);
    if (word.starts_with("at=")) orders.at = std::stoi(value);
    if (word.starts_with("ms=")) orders.ms = std::stoi(value);
    if (word.starts_with("once=")) orders.once = value;
    if (word.starts_with("pids=")) orders.pids = value;
  }
  return orders;
}

void say(const std::string& line) { std::cout << line << std::endl; }

[[noreturn]] void sleep_forever() {
  for (;;) ::pause();
}

class FaultyEngine {
 public:
  explicit FaultyEngine(Orders orders) : orders_(std::move(orders)) {
    note_pid();
    if (orders_.fault == "ignore-quit") {
      for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(signal, SIG_IGN);
    }
    if (orders_.fault == "crash-at-start" && is_due()) std::exit(3);
  }

  void talk() {
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string word;
      words >> word;
      if (word == "uci") {
        if (orders_.fault == "silent-at-start") sleep_forever();
        say("id name faulty");
        say("option name UCI_Variant type combo default chess var chess");
        say("option name Style type spin default 1 min 0 max 9");
        say("uciok");
      } else if (word == "isready") {
        say("readyok");
      } else if (word == "position") {
        set_position(words);
      } else if (word == "go") {
        go();
      } else if (word == "quit" && orders_.fault != "ignore-quit") {
        return;
      }
    }
    if (orders_.fault == "ignore-quit") sleep_forever();
  }

 private:
  /// Whether the fault is to happen now; marks that it has.
  bool is_due() {
    if (!orders_.once.empty()) {
      if (std::filesystem::exists(orders_.once)) return false;
      std::ofstream mark(orders_.once);
    }
    return true;
  }

  void note_pid() const {
    if (!orders_.pids.empty()) std::ofstream(orders_.pids, std::ios::app) << ::getpid() << '\n';
  }

  void set_position(std::istringstream& words) {
    std::string word, fen;
    words >> word;
    if (word == "fen")
      for (int field = 0; field < 6 && words >> word; ++field) fen += (field > 0 ? " " : "") + word;
    const std::string start = fen.empty() ? std::string(StandardRules::kStartFen) : fen;
    game_ = Game<StandardRules>(parse_fen<StandardRules>(start).value_or_throw("fen"));
    words >> word;
    while (words >> word)
      game_.play(parse_uci_move<StandardRules>(game_.board(), word).value_or_throw("move"));
  }

  std::string move() const { return to_uci(legal_moves<StandardRules>(game_.board())[0]); }

  void go() {
    if (++searches_ == orders_.at && is_due() && misbehave()) return;
    say("info depth 1 score cp 12 nodes 20 pv " + move());
    say("bestmove " + move());
  }

  /// False if a proper answer is to follow.
  bool misbehave() {
    const std::string& fault = orders_.fault;
    if (fault == "crash") std::abort();
    if (fault == "exit") std::exit(4);
    if (fault == "hang") return true;
    if (fault == "deaf") sleep_forever();
    if (fault == "illegal") return say("bestmove a1h8"), true;
    if (fault == "resign") return say("bestmove (none)"), true;
    if (fault == "rubbish-move") return say("bestmove tomorrow \xff\x01"), true;
    if (fault == "rubbish") return say("Segmentation of the market"), true;
    if (fault == "two-moves") say("bestmove " + move());
    if (fault == "late") ::usleep(static_cast<useconds_t>(orders_.ms) * 1000);
    if (fault == "long-line") say("info string " + std::string(5'000'000, 'x'));
    if (fault == "flood")
      for (int i = 0; i < 200'000; ++i) std::cout << "info depth 1 currmove " << i << " score cp 1 nodes 1\n";
    if (fault == "flood-forever")
      for (;;) std::cout << "info depth 1 score cp 1 nodes 1\n";
    if (fault == "fork-and-crash" || fault == "fork") {
      if (::fork() == 0) sleep_forever();  // and keeps our pipes open
      if (fault == "fork-and-crash") std::abort();
    }
    return false;
  }

  Orders orders_;
  Game<StandardRules> game_;
  int searches_ = 0;
};

}  // namespace
}  // namespace farrier

int main(int argc, char** argv) {
  farrier::FaultyEngine(farrier::read_orders(argc, argv)).talk();
  return 0;
}
