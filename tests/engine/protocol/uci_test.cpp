// The UCI protocol as a GUI or a script meets it: whole conversations over streams.
#include "engine/protocol/uci.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "engine/chess/perft.h"
#include "tests/support/random_net.h"
#include "tests/support/rules_testing.h"
#include "tests/support/uci_process.h"

namespace farrier {
namespace {

std::vector<std::string> answers(const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  run_uci(in, out);
  std::vector<std::string> lines;
  std::istringstream text(out.str());
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The last line that begins so; empty if there is none.
std::string last_line(const std::vector<std::string>& lines, std::string_view beginning) {
  const auto found = std::find_if(lines.rbegin(), lines.rend(),
                                  [&](const std::string& line) { return line.starts_with(beginning); });
  return found == lines.rend() ? std::string() : *found;
}

/// The answers to a `go` after some preparation, the search being let end by itself.
std::vector<std::string> search(const std::string& preparation, const std::string& go) {
  UciProcess engine(std::string(FARRIER_BIN_DIR) + "/farrier");
  engine.send(preparation + go);
  std::vector<std::string> lines;
  do lines.push_back(engine.read_line());
  while (!lines.back().starts_with("bestmove "));
  engine.send("isready");
  for (std::string line = engine.read_line(); line != "readyok"; line = engine.read_line())
    lines.push_back(line);
  return lines;
}

std::string choose(std::string_view variant) {
  return "setoption name UCI_Variant value " + std::string(variant) + "\n";
}

TEST(Uci, TheEngineNamesItsVariantsAndEndsWithUciok) {
  const auto lines = answers("uci\nquit\n");
  EXPECT_NE(last_line(lines, "id name Farrier"), "");
  EXPECT_EQ(last_line(lines, "option name UCI_Variant"),
            "option name UCI_Variant type combo default chess var chess var crazyhouse var knightmate var "
            "pocketknight");
  EXPECT_EQ(lines.back(), "uciok");
}

template <VariantRules R>
class UciOf : public testing::Test {};
TYPED_TEST_SUITE(UciOf, AllRules, RulesName);

TYPED_TEST(UciOf, TheStartPositionIsThatOfTheVariant) {
  EXPECT_EQ(answers(choose(TypeParam::kUciName) + "position startpos\nd\n").back(), TypeParam::kStartFen);
}

TYPED_TEST(UciOf, GoPerftPrintsALinePerMoveAndTheSum) {
  const auto lines = answers(choose(TypeParam::kUciName) + "position startpos\ngo perft 3\n");
  const Board board = start_board<TypeParam>();
  for (auto [move, paths] : perft_divide<TypeParam>(board, 3))
    EXPECT_EQ(last_line(lines, to_uci(move) + ":"), to_uci(move) + ": " + std::to_string(paths));
  EXPECT_EQ(lines.back(), "Nodes searched: " + std::to_string(perft<TypeParam>(board, 3)));
}

TYPED_TEST(UciOf, ASearchEndsWithALegalMoveAndALegalLine) {
  const auto lines = answers(choose(TypeParam::kUciName) + "position startpos moves e2e4\ngo nodes 2000\n");
  Board board = board_after<TypeParam>(start_board<TypeParam>(), "e2e4");
  std::istringstream best(last_line(lines, "bestmove "));
  std::string word, move;
  best >> word >> move;
  EXPECT_TRUE(can_play<TypeParam>(board, move)) << move;
}

TEST(Uci, MovesAfterAPositionArePlayed) {
  EXPECT_EQ(answers(choose("crazyhouse") + "position startpos moves e2e4 d7d5 e4d5 d8d5 P@e4\nd\n").back(),
            "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3");
}

TEST(Uci, AnIllegalMoveIsToldAndThePositionStaysTheLastLegalOne) {
  const auto lines = answers("position startpos moves e2e4 e7e4\nd\n");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "e7e4", last_line(lines, "info string"));
  EXPECT_EQ(lines.back(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

TEST(Uci, WrongInputIsAnsweredWithOneSentenceAndTheEngineGoesOn) {
  const auto told = [](const std::string& line, const std::string& part) {
    const auto lines = answers(line + "\nd\n");
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, last_line(lines, "info string")) << line;
    EXPECT_EQ(lines.back(), StandardRules::kStartFen) << line;
  };
  told("setoption name UCI_Variant value draughts", "draughts");
  told("setoption name Colour value red", "Colour");
  told("setoption name Hash value many", "many");
  told("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "royal");
  told("position fen", "FEN");
  told("go perft x", "perft");
  told("go perft 0", "perft");
  told("hello", "hello");
}

TEST(Uci, AnEmptyInputEndsTheProgram) { EXPECT_TRUE(answers("").empty()); }

TEST(Uci, LinesMayEndWithCarriageReturns) {
  EXPECT_EQ(answers("setoption name UCI_Variant value knightmate\r\nposition startpos\r\nd\r\n").back(),
            Knightmate::kStartFen);
}

TEST(Uci, AMatedSideHasNoBestMove) {
  const auto lines = answers("position fen k7/8/8/8/8/8/2r5/K2q4 w - - 0 1\ngo depth 3\n");
  EXPECT_EQ(last_line(lines, "bestmove "), "bestmove (none)");
}

TEST(Uci, HandsAreReadInEveryForm) {
  const std::string fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  for (const std::string hands : {"[]", "[-]", "/", ""})
    EXPECT_EQ(answers(choose("crazyhouse") + "position fen " + fen + hands + " w KQkq - 0 1\nd\n").back(),
              fen + "[] w KQkq - 0 1")
        << hands;
  EXPECT_EQ(answers(choose("pocketknight") + "position fen " + fen + " w KQkq - 0 1\nd\n").back(),
            fen + "[] w KQkq - 0 1");
}

TEST(Uci, TheLastOfSeveralPositionsCounts) {
  EXPECT_EQ(
      answers("position startpos moves e2e4\nposition startpos moves d2d4\nposition startpos\nisready\nd\n")
          .back(),
      StandardRules::kStartFen);
}

TEST(Uci, OnlyMovesMayFollowStartpos) {
  const auto lines = answers("position startpos moves e2e4\nposition startpos e2e4\nd\n");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "'e2e4'", last_line(lines, "info string"));
  EXPECT_EQ(lines.back(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

// Options.

TEST(UciOptions, AreListedWithTheirKindsAndBounds) {
  const auto lines = answers("uci\n");
  for (const std::string option :
       {"UCI_Variant type combo", "Hash type spin default 16 min 1 max ", "Clear Hash type button",
        "Threads type spin default 1 min 1 max ", "MultiPV type spin default 1 min 1 max ",
        "Ponder type check default false", "Move Overhead type spin", "EvalFile type string default <empty>",
        "UCI_ShowWDL type check default false", "UCI_AnalyseMode type check default false",
        "UCI_LimitStrength type check default false", "UCI_Elo type spin",
        "SyzygyPath type string default <empty>"})
    EXPECT_NE(last_line(lines, "option name " + option), "") << option;
  EXPECT_EQ(last_line(lines, "option name UCI_Chess960"), "");
}

TEST(UciOptions, NamesAndChoicesMayBeWrittenInAnyCase) {
  EXPECT_EQ(answers("setoption name uci_vARIANT value Crazyhouse\nposition startpos\nd\n").back(),
            Crazyhouse::kStartFen);
  const auto lines = search("setoption name MULTIPV value 2\n", "go depth 1");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "multipv 2 ", last_line(lines, "info depth 1 "));
}

TEST(UciOptions, NumbersBeyondTheBoundsAreClamped) {
  const auto lines = search(
      "setoption name Hash value -5\nsetoption name MultiPV value 99999999999999999999\n", "go depth 1");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "multipv 20 ", last_line(lines, "info depth 1 "));
}

TEST(UciOptions, JunkIsRefusedAndChangesNothing) {
  const auto refused = [](const std::string& line, const std::string& part) {
    const auto lines = answers(choose("crazyhouse") + line + "\nposition startpos\nd\n");
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, last_line(lines, "info string")) << line;
    EXPECT_EQ(lines.back(), Crazyhouse::kStartFen) << line;
  };
  refused("setoption", "name");
  refused("setoption name", "no option");
  refused("setoption name Threads", "'' is no number");
  refused("setoption name Threads value 2 3", "'2 3'");
  refused("setoption name UCI_ShowWDL value maybe", "maybe");
  refused("setoption name UCI_Variant value", "there are chess, crazyhouse");
  refused("setoption Hash value 3", "name");
}

TEST(UciOptions, SyzygyPathIsIgnoredInWords) {
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "ignored",
                      last_line(answers("setoption name SyzygyPath value /tables\n"), "info string"));
}

TEST(UciOptions, TheEvaluationThatPlaysIsTold) {
  EXPECT_EQ(last_line(answers("setoption name EvalFile value material\nisready\n"), "info string"),
            "info string evaluation: material");
  const auto lines = answers(choose("crazyhouse") + "isready\n");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "evaluation: crazyhouse-", last_line(lines, "info string"));
}

TEST(UciOptions, ANetOfAnotherVariantIsRefusedInWordsAndTheDefaultNetPlays) {
  const std::string file = testing::TempDir() + "farrier_uci_knightmate.fnn";
  write_net(random_net_of(Variant::Knightmate, 16), file);
  const auto lines = answers("setoption name EvalFile value " + file + "\n" + choose("crazyhouse") +
                             "isready\n" + choose("knightmate") + "isready\n");
  EXPECT_EQ(lines[0], "info string " + file + " is a net for knightmate, not for crazyhouse; it is not used");
  EXPECT_TRUE(lines[1].starts_with("info string evaluation: crazyhouse-")) << lines[1];
  EXPECT_EQ(lines[3], "info string evaluation: " + file);
  std::remove(file.c_str());
}

TEST(UciOptions, AFileNameMayHoldBlanks) {
  const std::string file = testing::TempDir() + "farrier uci  net.fnn";
  write_net(random_net_of(Variant::Chess, 16), file);
  EXPECT_EQ(last_line(answers("setoption name EvalFile value " + file + " \r\nisready\n"), "info string"),
            "info string evaluation: " + file);
  std::remove(file.c_str());
}

TEST(UciOptions, AMissingNetFileIsTold) {
  const auto lines = answers(choose("crazyhouse") + "setoption name EvalFile value /no/such.fnn\nisready\n");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "/no/such.fnn", lines[0]);
  EXPECT_TRUE(lines[1].starts_with("info string evaluation: crazyhouse-")) << lines[1];
}

// What a search tells.

TYPED_TEST(UciOf, EveryInfoLineHasItsFieldsInOrderAndALegalLine) {
  const auto lines = search(choose(TypeParam::kUciName) + "setoption name UCI_ShowWDL value true\n" +
                                "setoption name MultiPV value 3\nposition startpos\n",
                            "go depth 6");
  const std::regex shape(
      "info depth (\\d+) seldepth \\d+ multipv ([123]) score (cp|mate) -?\\d+ wdl (\\d+) (\\d+) (\\d+) nodes "
      "\\d+ nps \\d+ "
      "hashfull \\d+ time \\d+ pv( \\S+)+");
  int told = 0;
  std::array<std::string, 3> first_moves;
  for (const std::string& line : lines) {
    if (!line.starts_with("info depth")) continue;
    ++told;
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(line, parts, shape)) << line;
    EXPECT_EQ(std::stoi(parts[4]) + std::stoi(parts[5]) + std::stoi(parts[6]), 1000) << line;
    const std::string pv = line.substr(line.find(" pv ") + 4);
    Board board = start_board<TypeParam>();
    std::istringstream words(pv);
    for (std::string word; words >> word;) {
      ASSERT_TRUE(can_play<TypeParam>(board, word)) << line;
      board = board_after<TypeParam>(board, word);
    }
    first_moves[std::stoi(parts[2]) - 1] = pv.substr(0, pv.find(' '));
  }
  EXPECT_EQ(told, 18);
  EXPECT_EQ((std::set<std::string>(first_moves.begin(), first_moves.end()).size()), 3U);
  EXPECT_TRUE(last_line(lines, "bestmove ").starts_with("bestmove " + first_moves[0] + " ponder "));
}

TEST(UciGo, WordsStandInAnyOrderAndUnknownOnesAreSkipped) {
  const auto lines =
      search("position startpos\n", "go searchmoves a2a3 h2h3 mysterious 7 winc 3 depth 3 wtime 100000");
  const std::string best = last_line(lines, "bestmove ").substr(9, 4);
  EXPECT_TRUE(best == "a2a3" || best == "h2h3") << best;
  EXPECT_TRUE(last_line(lines, "info depth").starts_with("info depth 3 "));
}

TEST(UciGo, EveryClockGivesOneBestMove) {
  for (const std::string clock :
       {"wtime 0", "wtime 1", "wtime -100 btime -100", "wtime 0 winc 0 movestogo 0", "winc 5", "btime 50",
        "movetime 0", "movetime -3", "movetime 1", "wtime 50 movestogo -4",
        "wtime 99999999999999999999999 movetime 5", "wtime 60 winc 9223372036854775807 movestogo 1",
        "nodes 0", "nodes -1", "depth 0", "depth -9", "depth 1"}) {
    const auto lines = search("position startpos\n", "go " + clock);
    EXPECT_EQ(
        std::count_if(lines.begin(), lines.end(), [](const auto& l) { return l.starts_with("bestmove "); }),
        1)
        << clock;
    EXPECT_EQ(last_line(lines, "bestmove (none)"), "") << clock;
  }
}

TEST(UciGo, JunkInsteadOfANumberIsToldAndIgnored) {
  const auto lines = search("position startpos\n", "go depth many movetime 5");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "'many'", last_line(lines, "info string go"));
  EXPECT_NE(last_line(lines, "bestmove "), "");
}

TEST(UciGo, AScoreStandsBeforeEveryBestMove) {
  for (const std::string position : {"position startpos", "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
                                     "position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"})
    for (const std::string go : {"go nodes 1", "go nodes 30", "go depth 1"}) {
      const auto lines = search(position + "\n", go);
      ASSERT_GE(lines.size(), 2U);
      const auto best =
          std::find_if(lines.begin(), lines.end(), [](const auto& l) { return l.starts_with("bestmove"); });
      EXPECT_PRED_FORMAT2(testing::IsSubstring, " score ", *(best - 1)) << position << ' ' << go;
    }
  EXPECT_EQ(last_line(search("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\n", "go depth 2"), "info depth"),
            "info depth 0 score mate 0");
}

TEST(UciGo, TheLinesOfACutIterationDoNotRepeatAMove) {
  for (int nodes = 200; nodes < 4000; nodes += 300) {
    const auto lines =
        search(choose("crazyhouse") + "setoption name MultiPV value 3\nposition startpos moves g1f3 e7e6\n",
               "go nodes " + std::to_string(nodes));
    std::set<std::string> firsts;
    for (const std::string number : {"1", "2", "3"}) {
      const auto found = std::find_if(lines.rbegin(), lines.rend(), [&](const auto& l) {
        return l.find(" multipv " + number + " ") != std::string::npos;
      });
      ASSERT_NE(found, lines.rend());
      firsts.insert(found->substr(found->find(" pv ") + 4, 4));
    }
    EXPECT_EQ(firsts.size(), 3U) << nodes;
  }
}

TEST(UciGo, FractionsOfMillisecondsAreReadAsWholeOnes) {
  EXPECT_NE(last_line(search("position startpos\n", "go wtime 50.7 btime 50.2"), "bestmove"), "");
}

TEST(UciGo, AStalematedSideHasNoBestMove) {
  EXPECT_EQ(last_line(search("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", "go depth 3"), "bestmove "),
            "bestmove (none)");
}

TEST(UciGo, ADrawByRuleIsToldAndAMoveIsGivenAllTheSame) {
  const auto lines =
      search("position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8\n", "go depth 3");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "drawn (repetition)", last_line(lines, "info string the game"));
  EXPECT_NE(last_line(lines, "bestmove (none)"), last_line(lines, "bestmove "));
}

TEST(UciGo, MateEndsTheSearchWithTheMate) {
  const auto lines = search("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1\n", "go mate 2");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "score mate 2 ", last_line(lines, "info depth"));
}

TEST(UciGo, ALimitedStrengthLooksAtFewPositions) {
  const std::string limited =
      choose("crazyhouse") + "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 0\n";
  const auto nodes = [](const std::vector<std::string>& lines) {
    const std::string line = last_line(lines, "info depth");
    return std::stoll(line.substr(line.find(" nodes ") + 7));
  };
  EXPECT_LT(nodes(search(limited + "position startpos\n", "go movetime 60")), 2000);
  EXPECT_GT(nodes(search(limited + "setoption name UCI_AnalyseMode value true\nposition startpos\n",
                         "go movetime 60")),
            2000);
}

}  // namespace
}  // namespace farrier
