// Replay walks games under the rules, and faults in records do not pass.
#include "selfplay/data/replay.h"

#include <gtest/gtest.h>

#include "engine/chess/notation.h"
#include "tests/selfplay/data/test_games.h"

namespace farrier {
namespace {

template <class R>
class Replay : public testing::Test {};
using AllRules = testing::Types<StandardRules, Crazyhouse, Knightmate, PocketKnight>;
TYPED_TEST_SUITE(Replay, AllRules);

TYPED_TEST(Replay, VisitsEveryPlyWithTheBoardBeforeIt) {
  for (const GameRecord& game : random_games<TypeParam>(20, 11)) {
    Board expected = start_board<TypeParam>();
    std::size_t plies = 0;
    const Board end =
        replay<TypeParam>(game, [&](const Board& board, Move move, std::int16_t score, std::size_t ply) {
          EXPECT_EQ(board, expected);
          EXPECT_EQ(move, game.moves[ply]);
          EXPECT_EQ(score, game.scores_cp_stm[ply]);
          EXPECT_EQ(ply, plies++);
          make_move<TypeParam>(expected, move);
        });
    EXPECT_EQ(plies, game.moves.size());
    EXPECT_EQ(end, expected);
  }
}

TYPED_TEST(Replay, FindsNoFaultInGamesPlayedByTheRules) {
  for (const GameRecord& game : random_games<TypeParam>(100, 12))
    EXPECT_EQ(find_fault<TypeParam>(game), std::nullopt) << describe_game<TypeParam>(game);
}

TYPED_TEST(Replay, RefusesAnIllegalMove) {
  GameRecord game = random_game<TypeParam>(13);
  game.moves[5] = Move::normal(Square::A1, Square::H8);
  EXPECT_EQ(find_fault<TypeParam>(game), "illegal move at ply 5");
  EXPECT_THROW(replay<TypeParam>(game, [](const Board&, Move, std::int16_t, std::size_t) {}), UserError);
  EXPECT_NE(describe_game<TypeParam>(game).find("(illegal: bits 0x003f)"), std::string::npos);
}

/// Fool's mate, as a record says it.
GameRecord fools_mate() {
  GameRecord game;
  game.start_fen = std::string(start_fen(Variant::Chess));
  Board board = start_board<StandardRules>();
  for (const char* text : {"f2f3", "e7e5", "g2g4", "d8h4"}) {
    game.moves.push_back(*parse_uci_move<StandardRules>(board, text));
    make_move<StandardRules>(board, game.moves.back());
    game.scores_cp_stm.push_back(0);
  }
  game.termination = Termination::Checkmate;
  game.result_white = -1;
  return game;
}

TEST(RecordFault, IsAResultOrTerminationThatTheRulesContradict) {
  EXPECT_EQ(find_fault<StandardRules>(fools_mate()), std::nullopt);
  GameRecord game = fools_mate();
  game.result_white = 1;
  EXPECT_NE(find_fault<StandardRules>(game), std::nullopt);
  game = fools_mate();
  game.termination = Termination::AdjudicatedWin;
  EXPECT_NE(find_fault<StandardRules>(game), std::nullopt);
}

TEST(RecordFault, IsAGameThatEndsBeforeItsEnd) {
  GameRecord game = fools_mate();
  game.moves.pop_back();
  game.scores_cp_stm.pop_back();
  EXPECT_NE(find_fault<StandardRules>(game), std::nullopt) << "no mate stands on the board";
  game.termination = Termination::AdjudicatedWin;
  EXPECT_EQ(find_fault<StandardRules>(game), std::nullopt);
  game.result_white = 0;
  EXPECT_NE(find_fault<StandardRules>(game), std::nullopt) << "a win that nobody won";
  game.termination = Termination::PlyLimit;
  EXPECT_EQ(find_fault<StandardRules>(game), std::nullopt);
}

TEST(RecordFault, IsAGameThatGoesOnAfterItsEnd) {
  // Both knights go out and home twice: the start position stands for the third time after ply 8.
  GameRecord game;
  game.start_fen = std::string(start_fen(Variant::Chess));
  Board board = start_board<StandardRules>();
  const auto play = [&](const char* text) {
    game.moves.push_back(*parse_uci_move<StandardRules>(board, text));
    make_move<StandardRules>(board, game.moves.back());
    game.scores_cp_stm.push_back(0);
  };
  for (int round = 0; round < 2; ++round)
    for (const char* text : {"g1f3", "g8f6", "f3g1", "f6g8"}) play(text);
  game.termination = Termination::Repetition;
  EXPECT_EQ(find_fault<StandardRules>(game), std::nullopt);
  play("e2e4");
  game.termination = Termination::PlyLimit;
  EXPECT_EQ(find_fault<StandardRules>(game), "goes on after its end by repetition at ply 8");
}

TEST(RecordFault, IsAScoreOnARandomPlyOrNoneOnAnother) {
  GameRecord game = fools_mate();
  game.random_plies = 1;
  EXPECT_NE(find_fault<StandardRules>(game), std::nullopt);
  game.scores_cp_stm[0] = kNoScore;
  EXPECT_EQ(find_fault<StandardRules>(game), std::nullopt);
  game.scores_cp_stm[2] = kNoScore;
  EXPECT_NE(find_fault<StandardRules>(game), std::nullopt);
}

TEST(RecordFault, IsAMarkOfExplorationWhereNoSearchChoseTheMove) {
  GameRecord game = fools_mate();
  game.random_plies = 1;
  game.scores_cp_stm[0] = kNoScore;
  game.exploratory_plies = {1, 3};
  EXPECT_EQ(find_fault<StandardRules>(game), std::nullopt);
  for (const std::vector<std::uint16_t>& wrong : {std::vector<std::uint16_t>{0}, {4}, {2, 2}, {3, 1}}) {
    game.exploratory_plies = wrong;
    EXPECT_NE(find_fault<StandardRules>(game), std::nullopt);
  }
}

}  // namespace
}  // namespace farrier
