// One opening, two games, colours swapped; and the ways in which a game ends.
#include "selfplay/match/pair_play.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <vector>

#include "engine/chess/fen.h"
#include "engine/chess/movegen.h"
#include "engine/chess/notation.h"
#include "engine/variants/standard_rules.h"
#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

PairTerms terms(const MatchAdjudication& adjudication = {}) {
  PairTerms terms;
  terms.adjudication = adjudication;
  terms.halted = [] { return false; };
  return terms;
}

/// Answers by FEN from a script; elsewhere the first legal move. Remembers what it was asked.
class ScriptedPlayer final : public Player<StandardRules> {
 public:
  explicit ScriptedPlayer(Score score_cp_white = 0) : score_cp_white_(score_cp_white) {}

  void answer(const std::string& fen, const std::string& move) { script_[fen] = move; }
  void new_game() override { ++games; }
  PlayerMove choose(const Turn<StandardRules>& turn) override {
    const Board& board = turn.game.board();
    colours.push_back(board.side_to_move);
    const auto scripted = script_.find(to_fen<StandardRules>(board));
    const Move move = scripted == script_.end()
                          ? legal_moves<StandardRules>(board)[0]
                          : parse_uci_move<StandardRules>(board, scripted->second).value_or_throw("script");
    const Score score = board.side_to_move == Color::White ? score_cp_white_ : -score_cp_white_;
    return {.move = move, .score_cp_stm = score, .nodes = 10};
  }

  int games = 0;
  std::vector<Color> colours;

 private:
  std::map<std::string, std::string> script_;
  Score score_cp_white_;
};

Opening opening_from(const std::string& fen, const std::vector<std::string>& moves = {}) {
  Opening opening;
  opening.start = parse_fen<StandardRules>(fen).value_or_throw("fen");
  Game<StandardRules> game(opening.start);
  for (const std::string& text : moves) {
    opening.moves.push_back(parse_uci_move<StandardRules>(game.board(), text).value_or_throw("move"));
    game.play(opening.moves.back());
  }
  return opening;
}

const std::string kStart(StandardRules::kStartFen);

int plies_of(const std::string& moves) {
  std::istringstream stream(moves);
  return static_cast<int>(std::distance(std::istream_iterator<std::string>(stream), {}));
}

TEST(MatchPair, BothGamesStartFromTheSameOpeningWithColoursSwapped) {
  ScriptedPlayer a, b;
  const Opening opening = opening_from(kStart, {"e2e4", "c7c5", "g1f3"});  // black to move
  const MatchAdjudication adjudication{.calls = {}, .max_plies = 6};
  const auto pair = play_pair<StandardRules>(7, opening, a, b, terms(adjudication));
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->index, 7);
  EXPECT_EQ(pair->start_fen, kStart);
  EXPECT_EQ(pair->opening, "e2e4 c7c5 g1f3");
  EXPECT_EQ(a.games, 2);  // told of each game
  EXPECT_EQ(b.games, 2);
  // Three plies each: black, white, black. A is white first, then black.
  EXPECT_EQ(a.colours, (std::vector{Color::White, Color::Black, Color::Black}));
  EXPECT_EQ(b.colours, (std::vector{Color::Black, Color::Black, Color::White}));
  EXPECT_EQ(pair->games[0].searches, (std::array<int, 2>{1, 2}));
  EXPECT_EQ(pair->games[1].searches, (std::array<int, 2>{2, 1}));
  EXPECT_EQ(pair->games[1].nodes, (std::array<std::uint64_t, 2>{20, 10}));
  EXPECT_EQ(pair->games[0].moves, pair->games[1].moves);
  EXPECT_EQ(pair->games[0].termination, Termination::PlyLimit);
  EXPECT_EQ(pair->games[0].result_a, 0);
}

TEST(MatchPair, AMateOnTheBoardCountsForItsGiver) {
  const std::string fen = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
  ScriptedPlayer a, b;
  a.answer(fen, "a1a8");
  b.answer(fen, "a1a8");
  const auto pair = play_pair<StandardRules>(0, opening_from(fen), a, b, terms());
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->games[0].result_a, 1);
  EXPECT_EQ(pair->games[1].result_a, -1);
  for (const MatchGame& game : pair->games) {
    EXPECT_EQ(game.termination, Termination::Checkmate);
    EXPECT_EQ(game.moves, "a1a8");
  }
}

TEST(MatchPair, AMateOnTheBoardGoesBeforeAnAdjudication) {
  const std::string fen = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
  ScriptedPlayer a(2000), b(2000);
  a.answer(fen, "a1a8");
  b.answer(fen, "a1a8");
  const MatchAdjudication adjudication{.calls = {.win_score_cp = 1000, .win_plies = 1}};
  const auto pair = play_pair<StandardRules>(0, opening_from(fen), a, b, terms(adjudication));
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->games[0].termination, Termination::Checkmate);
}

TEST(MatchPair, AWinIsCalledWhenBothPlayersAgreeLongEnough) {
  const MatchAdjudication adjudication{.calls = {.win_score_cp = 1000, .win_plies = 8}};
  ScriptedPlayer a(-1500), b(-1000);  // white is lost, both say
  const auto pair = play_pair<StandardRules>(0, opening_from(kStart), a, b, terms(adjudication));
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->games[0].termination, Termination::AdjudicatedWin);
  EXPECT_EQ(pair->games[0].result_a, -1);
  EXPECT_EQ(pair->games[1].result_a, 1);
  EXPECT_EQ(plies_of(pair->games[0].moves), 8);
}

TEST(MatchPair, OnePlayersOpinionDecidesNothing) {
  const MatchAdjudication adjudication{.calls = {.win_score_cp = 1000, .win_plies = 2}, .max_plies = 40};
  ScriptedPlayer a(3000), b(999);
  const auto pair = play_pair<StandardRules>(0, opening_from(kStart), a, b, terms(adjudication));
  ASSERT_TRUE(pair);
  for (const MatchGame& game : pair->games) EXPECT_NE(game.termination, Termination::AdjudicatedWin);
}

TEST(MatchPair, AHaltedPairGivesNothing) {
  ScriptedPlayer a, b;
  int asked = 0;
  PairTerms halted = terms();
  halted.halted = [&] { return ++asked > 5; };
  const auto pair = play_pair<StandardRules>(0, opening_from(kStart), a, b, halted);
  EXPECT_FALSE(pair);
  EXPECT_EQ(a.colours.size() + b.colours.size(), 5u);
}

class IllegalPlayer final : public Player<StandardRules> {
 public:
  void new_game() override {}
  PlayerMove choose(const Turn<StandardRules>&) override {
    return {.move = Move::normal(Square::A1, Square::H8)};
  }
};

TEST(MatchPair, AnIllegalMoveLosesTheGameAndIsReported) {
  IllegalPlayer a;
  ScriptedPlayer b;
  std::vector<FaultReport> reports;
  PairTerms reporting = terms();
  reporting.on_fault = [&](const FaultReport& report) { reports.push_back(report); };
  const auto pair = play_pair<StandardRules>(3, opening_from(kStart, {"e2e4"}), a, b, reporting);
  ASSERT_TRUE(pair);
  for (const MatchGame& game : pair->games) {
    EXPECT_EQ(game.termination, Termination::IllegalMove);
    EXPECT_EQ(game.result_a, -1);
    EXPECT_EQ(game.fault, "a1h8 is not legal");
  }
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[1].pair, 3);
  EXPECT_EQ(reports[1].round, 1);
  EXPECT_EQ(reports[1].player, 0);
  EXPECT_EQ(reports[1].moves, "e2e4");  // in the second game A has black
}

/// Takes so long for every move, as he says himself.
class SlowPlayer final : public Player<StandardRules> {
 public:
  explicit SlowPlayer(std::chrono::milliseconds elapsed) : elapsed_(elapsed) {}
  void new_game() override {}
  PlayerMove choose(const Turn<StandardRules>& turn) override {
    readings.push_back(turn.clocks);
    PlayerMove choice;
    choice.move = legal_moves<StandardRules>(turn.game.board())[0];
    choice.elapsed = elapsed_;
    return choice;
  }

  std::vector<std::array<std::optional<ClockReading>, 2>> readings;

 private:
  std::chrono::milliseconds elapsed_;
};

TEST(MatchPair, AClockRunsDownByWhatAPlayerTakesAndUpByItsIncrement) {
  SlowPlayer a(std::chrono::milliseconds(300)), b(std::chrono::milliseconds(50));
  PairTerms timed = terms({.calls = {}, .max_plies = 6});
  const TimeControl control = parse_time_control("2/1+0.1").value_or_throw("tc");
  timed.clocks = {control, control};
  timed.keep_times = true;
  const auto pair = play_pair<StandardRules>(0, opening_from(kStart), a, b, timed);
  ASSERT_TRUE(pair);
  ASSERT_EQ(a.readings.size(), 6u);
  std::vector<std::int64_t> times;
  std::vector<int> moves_to_go;
  for (int move = 0; move < 3; ++move) {
    times.push_back(a.readings[move][0]->time_ms);
    moves_to_go.push_back(a.readings[move][0]->moves_to_go);
  }
  EXPECT_EQ(times, (std::vector<std::int64_t>{1000, 800, 1600}));
  EXPECT_EQ(moves_to_go, (std::vector{2, 1, 2}));
  EXPECT_EQ(a.readings[1][1]->time_ms, 1050);  // black's
  EXPECT_EQ(pair->games[0].termination, Termination::PlyLimit);
  EXPECT_EQ(pair->games[0].notes[0].time_us, 300000);
  EXPECT_EQ(pair->games[0].notes[1].time_us, 50000);
}

TEST(MatchPair, WhoOverdrawsHisClockByMoreThanTheMarginLoses) {
  SlowPlayer a(std::chrono::milliseconds(0)), b(std::chrono::milliseconds(1010));
  PairTerms timed = terms({.calls = {}, .max_plies = 6});
  timed.clocks[1] = parse_time_control("1+1").value_or_throw("tc");
  timed.margin = std::chrono::milliseconds(10);
  auto pair = play_pair<StandardRules>(0, opening_from(kStart), a, b, timed);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->games[0].termination, Termination::PlyLimit);
  EXPECT_FALSE(b.readings[0][0]);  // white has no clock
  timed.margin = std::chrono::milliseconds(9);
  pair = play_pair<StandardRules>(0, opening_from(kStart), a, b, timed);
  ASSERT_TRUE(pair);
  for (const MatchGame& game : pair->games) {
    EXPECT_EQ(game.termination, Termination::TimeForfeit);
    EXPECT_EQ(game.result_a, +1);
    EXPECT_EQ(game.fault, "took 1010.0 ms and had 1000 ms");
  }
}

TEST(MatchPair, ATimeForEachMoveIsALimitOfItsOwn) {
  SlowPlayer a(std::chrono::milliseconds(60)), b(std::chrono::milliseconds(60));
  PairTerms timed = terms({.calls = {}, .max_plies = 6});
  timed.move_times = {std::chrono::milliseconds(60), std::chrono::milliseconds(59)};
  const auto pair = play_pair<StandardRules>(0, opening_from(kStart), a, b, timed);
  ASSERT_TRUE(pair);
  for (const MatchGame& game : pair->games) {
    EXPECT_EQ(game.termination, Termination::TimeForfeit);
    EXPECT_EQ(game.result_a, +1);
  }
}

}  // namespace
}  // namespace farrier
