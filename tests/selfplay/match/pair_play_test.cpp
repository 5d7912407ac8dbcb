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

const std::function<bool()> kNeverHalted = [] { return false; };

/// Answers by FEN from a script; elsewhere the first legal move. Remembers what it was asked.
class ScriptedPlayer final : public Player<StandardRules> {
 public:
  explicit ScriptedPlayer(Score score_cp_white = 0) : score_cp_white_(score_cp_white) {}

  void answer(const std::string& fen, const std::string& move) { script_[fen] = move; }
  void new_game() override { ++games; }
  PlayerMove choose(const Game<StandardRules>& game) override {
    const Board& board = game.board();
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
  const auto pair = play_pair<StandardRules>(7, opening, a, b, adjudication, kNeverHalted);
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
  const auto pair = play_pair<StandardRules>(0, opening_from(fen), a, b, {}, kNeverHalted);
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
  const auto pair = play_pair<StandardRules>(0, opening_from(fen), a, b, adjudication, kNeverHalted);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->games[0].termination, Termination::Checkmate);
}

TEST(MatchPair, AWinIsCalledWhenBothPlayersAgreeLongEnough) {
  const MatchAdjudication adjudication{.calls = {.win_score_cp = 1000, .win_plies = 8}};
  ScriptedPlayer a(-1500), b(-1000);  // white is lost, both say
  const auto pair = play_pair<StandardRules>(0, opening_from(kStart), a, b, adjudication, kNeverHalted);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->games[0].termination, Termination::AdjudicatedWin);
  EXPECT_EQ(pair->games[0].result_a, -1);
  EXPECT_EQ(pair->games[1].result_a, 1);
  EXPECT_EQ(plies_of(pair->games[0].moves), 8);
}

TEST(MatchPair, OnePlayersOpinionDecidesNothing) {
  const MatchAdjudication adjudication{.calls = {.win_score_cp = 1000, .win_plies = 2}, .max_plies = 40};
  ScriptedPlayer a(3000), b(999);
  const auto pair = play_pair<StandardRules>(0, opening_from(kStart), a, b, adjudication, kNeverHalted);
  ASSERT_TRUE(pair);
  for (const MatchGame& game : pair->games) EXPECT_NE(game.termination, Termination::AdjudicatedWin);
}

TEST(MatchPair, AHaltedPairGivesNothing) {
  ScriptedPlayer a, b;
  int asked = 0;
  const auto pair = play_pair<StandardRules>(0, opening_from(kStart), a, b, {}, [&] { return ++asked > 5; });
  EXPECT_FALSE(pair);
  EXPECT_EQ(a.colours.size() + b.colours.size(), 5u);
}

class IllegalPlayer final : public Player<StandardRules> {
 public:
  void new_game() override {}
  PlayerMove choose(const Game<StandardRules>&) override {
    return {.move = Move::normal(Square::A1, Square::H8)};
  }
};

TEST(MatchPair, AnIllegalMoveEndsTheMatchWithTheFaultNamed) {
  IllegalPlayer a;
  ScriptedPlayer b;
  const std::string refusal =
      refusal_of([&] { play_pair<StandardRules>(0, opening_from(kStart), a, b, {}, kNeverHalted); });
  EXPECT_NE(refusal.find("player A answered a1h8"), std::string::npos) << refusal;
}

}  // namespace
}  // namespace farrier
