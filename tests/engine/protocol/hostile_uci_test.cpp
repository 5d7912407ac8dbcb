// Lines that no sane GUI sends, by the thousand: the engine neither crashes nor hangs, still answers `isready`, and
// gives one best move for each `go`. FARRIER_HOSTILE_LINES=100000 makes it the long run.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/rng.h"
#include "engine/protocol/uci.h"
#include "engine/variants/variant.h"

namespace farrier {
namespace {

class HostileGui {
 public:
  explicit HostileGui(std::uint64_t seed) : rng_(seed) {}

  std::string line() {
    std::string text = sane_line();
    switch (rng_.below(6)) {
      case 0:
        mutate(text);
        break;
      case 1:
        text = words(1 + rng_.below(8));
        break;
      case 2:
        shuffle_words(text);
        break;
      default:
        break;
    }
    return text;
  }

 private:
  template <std::size_t N>
  std::string any(const std::array<std::string_view, N>& choices) {
    return std::string(choices[rng_.below(N)]);
  }

  std::string number() {
    static constexpr std::array<std::string_view, 16> kNumbers{"0",
                                                               "1",
                                                               "-1",
                                                               "2",
                                                               "3",
                                                               "7",
                                                               "20",
                                                               "100",
                                                               "1e3",
                                                               "0x10",
                                                               "99999999999999999999",
                                                               "-99999999999999999999",
                                                               "9223372036854775807",
                                                               "-9223372036854775808",
                                                               "nan",
                                                               ""};
    return any(kNumbers);
  }

  std::string move() {
    static constexpr std::array<std::string_view, 14> kMoves{"e2e4", "e7e5", "g1f3",  "N@f3",  "n@f3",
                                                             "P@e1", "@e4",  "e7e8q", "a7a8m", "e1g1",
                                                             "0000", "e2e2", "z9z9",  "O-O"};
    return any(kMoves);
  }

  std::string fen() {
    static constexpr std::array<std::string_view, 9> kFens{
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQkq - 0 1",
        "rmbqkbmr/pppppppp/8/8/8/8/PPPPPPPP/RMBQKBMR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1n6/1Q4p1/8/pQ~p1kqQ~1/bPP3b1/p1RpP1PP/3q~1PK1/N4BNR[RRBPnp] w - - 0 47",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "kk6/8/8/8/8/8/8/KK6 w - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/qqqqqqqq/qqqqqqqq/kqqqqqqq/Kqqqqqqq w KQkq e3 99 99999",
        "k7/8/8/8/8/8/8/7K[QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ] w - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"};
    std::string text = any(kFens);
    if (rng_.below(2) == 0) mutate(text);
    return text;
  }

  std::string sane_line() {
    switch (rng_.below(9)) {
      case 0:
        return "setoption name UCI_Variant value " +
               std::string(variant_name(kAllVariants[rng_.below(kAllVariants.size())]));
      case 1: {
        // Not the sizes of memory and threads: those may well be what the user wants, and take their time.
        static constexpr std::array<std::string_view, 9> kNames{
            "MultiPV",         "EvalFile",      "UCI_ShowWDL", "UCI_Elo",   "UCI_LimitStrength",
            "UCI_AnalyseMode", "Move Overhead", "Clear Hash",  "SyzygyPath"};
        return "setoption name " + any(kNames) + " value " + number();
      }
      case 2:
      case 3: {
        std::string text = rng_.below(2) == 0 ? "position startpos" : "position fen " + fen();
        if (rng_.below(2) == 0) text += " moves";
        for (std::uint32_t n = rng_.below(6); n > 0; --n) text += ' ' + move();
        return text;
      }
      case 4:
      case 5: {
        static constexpr std::array<std::string_view, 12> kWords{
            "wtime", "btime", "winc", "binc",        "movestogo", "movetime",
            "nodes", "depth", "mate", "searchmoves", "infinite",  "ponder"};
        std::string text = "go";
        for (std::uint32_t n = rng_.below(5); n > 0; --n)
          text += ' ' + any(kWords) + ' ' + (rng_.below(4) == 0 ? move() : number());
        return text;
      }
      case 6:
        return "go movetime 1";
      default: {
        static constexpr std::array<std::string_view, 10> kCommands{
            "stop", "ponderhit", "ucinewgame", "isready", "uci", "d", "eval", "go perft 2", "stop", ""};
        return any(kCommands);
      }
    }
  }

  std::string words(std::uint32_t count) {
    std::string text;
    for (; count > 0; --count) text += (rng_.below(2) == 0 ? move() : number()) + ' ';
    return text;
  }

  void mutate(std::string& text) {
    for (std::uint32_t n = 1 + rng_.below(4); n > 0; --n) {
      const auto at = rng_.below(static_cast<std::uint32_t>(text.size()) + 1);
      // Not a new line, which would make another command of the rest.
      char byte = static_cast<char>(rng_.below(256));
      if (byte == '\n') byte = ' ';
      if (rng_.below(3) == 0)
        text.insert(at, 1 + rng_.below(30), byte);
      else if (at < text.size())
        rng_.below(2) == 0 ? text.erase(at, 1 + rng_.below(5)) : text.replace(at, 1, 1, byte);
    }
  }

  void shuffle_words(std::string& text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; in >> part;) parts.push_back(part);
    text.clear();
    while (!parts.empty()) {
      const auto at = rng_.below(static_cast<std::uint32_t>(parts.size()));
      text += parts[at] + ' ';
      parts.erase(parts.begin() + at);
    }
  }

  Rng rng_;
};

/// A line that would end the conversation.
bool ends_it(const std::string& line) {
  std::istringstream words(line);
  std::string first;
  words >> first;
  return first == "quit" || first == "xboard";
}

bool starts_search(const std::string& line) {
  std::istringstream words(line);
  std::string first;
  words >> first;
  if (first != "go") return false;
  for (std::string word; words >> word;)
    if (word == "perft") return false;
  return true;
}

TEST(HostileUci, TheEngineAnswersIsreadyAndEveryGoAfterAnyLines) {
  const char* wanted = std::getenv("FARRIER_HOSTILE_LINES");
  const int lines = wanted != nullptr ? std::atoi(wanted) : 4000;
  HostileGui gui(7);
  std::string input = "setoption name Hash value 1\n";  // made anew by every change of the variant
  int searches = 0;
  for (int i = 0; i < lines; ++i) {
    const std::string line = gui.line();
    if (ends_it(line)) continue;
    searches += starts_search(line);
    input += line + '\n';
  }
  input += "stop\nposition startpos\nisready\n";
  std::istringstream in(input);
  std::ostringstream out;
  run_uci(in, out);
  int best_moves = 0;
  std::istringstream answers(out.str());
  std::string last;
  for (std::string line; std::getline(answers, line);) {
    best_moves += line.starts_with("bestmove ");
    last = line;
  }
  EXPECT_EQ(last, "readyok");
  EXPECT_EQ(best_moves, searches);
}

}  // namespace
}  // namespace farrier
