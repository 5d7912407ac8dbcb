// Lines that no sane GUI sends: XBoard's grammar with errors in it, always the same ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "engine/base/rng.h"
#include "engine/protocol/xboard.h"
#include "engine/protocol/xboard_text.h"

namespace farrier {
namespace {

using Lines = std::vector<std::string>;

/// A line as a GUI might send it, or one like it that no GUI sends.
std::string hostile_line(Rng& rng) {
  static const Lines kCheap{"usermove", "usermove", "",         "undo",      "remove", "force",
                            "result",   "go",       "go",       "playother", "exit",   "?",
                            ".",        "bk",       "draw",     "level",     "st",     "sd",
                            "time",     "otim",     "post",     "nopost",    "hard",   "easy",
                            "accepted", "rejected", "protover", "xboard",    "edit",   "white"};
  // These clear tables, load nets or search.
  static const Lines kDear{"new", "variant", "setboard", "analyze", "hint", "option", "cores 2", "memory 10"};
  static const Lines kArguments{"",
                                "0",
                                "1",
                                "2",
                                "-1",
                                "40 5 0",
                                "0 0:01 0.01",
                                "0 0 0",
                                "99999999999999999999",
                                "nan",
                                "1e400 : -",
                                "e2e4",
                                "e7e5",
                                "g1f3",
                                "b8c6",
                                "f1c4",
                                "f8c5",
                                "e1g1",
                                "e8g8",
                                "d2d4",
                                "e5d4",
                                "N@e4",
                                "P@e9",
                                "a7a8q",
                                "a7a8",
                                "Nxe5",
                                "O-O-O",
                                "=Q",
                                "@@@@",
                                "crazyhouse",
                                "knightmate",
                                "pocketknight",
                                "normal",
                                "MultiPV=3",
                                "Clear Hash",
                                "EvalFile=/",
                                "=",
                                "1-0 {White mates}",
                                "8/8/8/8/8/8/8/8 w - - 0 1",
                                "7k/8/8/8/8/8/8/K6R[Qq] w - - 0 1",
                                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQkq - 0 1",
                                "k7/P7/8/8/8/8/8/K7 w - - 99 1"};
  const auto one_of = [&](const Lines& lines) {
    return lines[rng.below(static_cast<std::uint32_t>(lines.size()))];
  };
  std::string line = one_of(rng.below(16) == 0 ? kDear : kCheap);
  for (std::uint32_t i = rng.below(8) == 0 ? 3 : 1; i > 0; --i) line += ' ' + one_of(kArguments);
  if (rng.below(4) != 0 || line.starts_with("cores") || line.starts_with("memory")) return line;
  for (std::uint32_t changes = 1 + rng.below(3); changes > 0; --changes) {
    const std::size_t at = rng.below(static_cast<std::uint32_t>(line.size()));
    switch (rng.below(4)) {
      case 0:
        line.erase(at, 1 + rng.below(4));
        break;
      case 1:
        line.insert(at, 1, static_cast<char>(rng.below(256)));
        break;
      case 2:
        line.insert(at, line.substr(0, at));
        break;
      default:
        line[at] = static_cast<char>(rng.below(256));
    }
    if (line.empty()) break;
  }
  std::replace(line.begin(), line.end(), '\n', ' ');
  return split_line(line).command == "quit" ? "" : line;
}

TEST(Xboard, AfterAHundredThousandHostileLinesItStillAnswersEveryPing) {
  Rng rng(derive_seed(20'261'130, 0, 0));
  std::string text = "memory 9\n";  // small tables are cleared fast
  int pings = 0;
  for (int i = 0; i < 100'000; ++i) {
    text += hostile_line(rng) + '\n';
    if (i % 500 == 499) text += "force\nping " + std::to_string(++pings) + '\n';
  }
  std::istringstream in(text);
  std::ostringstream out;
  run_xboard(in, out);
  std::istringstream answers(out.str());
  int pongs = 0, moves = 0;
  for (std::string line; std::getline(answers, line);) {
    if (line == "pong " + std::to_string(pongs + 1)) ++pongs;
    if (line.starts_with("move ")) ++moves;
  }
  EXPECT_EQ(pongs, pings);
  EXPECT_GT(moves, 100);  // it was not refusals alone
}

}  // namespace
}  // namespace farrier
