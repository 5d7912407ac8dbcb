#include "engine/search/searcher.h"

#include <thread>

#include "tests/support/random_net.h"
#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

template <VariantRules R>
SearchReport search(const std::string& fen, SearchLimits limits, SearcherOptions options = {}) {
  Searcher<R> searcher(options);
  return searcher.search(Game<R>(board_from<R>(fen)), limits);
}

SearchLimits to_depth(int depth) {
  SearchLimits limits;
  limits.depth = depth;
  return limits;
}

SearchLimits with_nodes(std::uint64_t nodes) {
  SearchLimits limits;
  limits.hard_nodes = nodes;
  return limits;
}

template <VariantRules R>
class Searches : public testing::Test {};
TYPED_TEST_SUITE(Searches, AllRules, RulesName);

TYPED_TEST(Searches, OneThreadWithANodeLimitRepeatsToTheNode) {
  SearcherOptions options;
  options.net = std::make_shared<const Net>(random_net_of(TypeParam::kVariant, 16));
  const std::string start(TypeParam::kStartFen);
  const SearchReport first = search<TypeParam>(start, with_nodes(20000), options);
  const SearchReport second = search<TypeParam>(start, with_nodes(20000), options);
  EXPECT_EQ(first.best_move, second.best_move);
  EXPECT_EQ(first.score_cp_stm, second.score_cp_stm);
  EXPECT_EQ(first.nodes, second.nodes);
  EXPECT_EQ(first.pv, second.pv);
}

TYPED_TEST(Searches, ClearedSearcherForgetsEarlierGames) {
  Searcher<TypeParam> searcher({});
  const Game<TypeParam> game;
  const SearchReport fresh = searcher.search(game, to_depth(7));
  searcher.search(game, to_depth(9));
  searcher.clear();
  EXPECT_EQ(searcher.search(game, to_depth(7)).nodes, fresh.nodes);
}

TYPED_TEST(Searches, HardNodeLimitHolds) {
  const SearchReport report = search<TypeParam>(std::string(TypeParam::kStartFen), with_nodes(5000));
  EXPECT_GE(report.nodes, 5000U);
  EXPECT_LE(report.nodes, 5010U);
}

TYPED_TEST(Searches, SoftNodeLimitFinishesItsIteration) {
  SearchLimits limits;
  limits.soft_nodes = 3000;
  const SearchReport soft = search<TypeParam>(std::string(TypeParam::kStartFen), limits);
  EXPECT_GE(soft.nodes, 3000U);
  EXPECT_EQ(search<TypeParam>(std::string(TypeParam::kStartFen), to_depth(soft.depth)).nodes, soft.nodes);
}

TYPED_TEST(Searches, ThreadsShareOneTableAndGiveALegalLine) {
  SearcherOptions options;
  options.threads = 3;
  options.net = std::make_shared<const Net>(random_net_of(TypeParam::kVariant, 32));
  Searcher<TypeParam> searcher(options);
  Board board = start_board<TypeParam>();
  const SearchReport report = searcher.search(Game<TypeParam>(board), with_nodes(60000));
  ASSERT_FALSE(report.pv.empty());
  for (Move m : report.pv) {
    ASSERT_TRUE(is_legal<TypeParam>(board, m));
    make_move<TypeParam>(board, m);
  }
}

TYPED_TEST(Searches, NodesOfAnEarlierSearchDoNotCountInTheNext) {
  SearcherOptions options;
  options.threads = 3;
  Searcher<TypeParam> searcher(options);
  const Game<TypeParam> game;
  searcher.search(game, with_nodes(200000));
  // A thread that starts late and brings its old count would end the search, and then take the count back.
  for (int i = 0; i < 20; ++i) EXPECT_GE(searcher.search(game, with_nodes(30000)).nodes, 30000U);
}

TYPED_TEST(Searches, StopEndsALongSearchSoon) {
  SearchControl control;
  SearchLimits limits;
  limits.control = &control;
  Searcher<TypeParam> searcher({});
  const Game<TypeParam> game;
  SearchReport report;
  std::thread thread([&] { report = searcher.search(game, limits); });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  control.stop();
  thread.join();  // hangs, and so fails by its time limit, if the flag is not seen
  EXPECT_TRUE(is_legal<TypeParam>(game.board(), report.best_move));
}

TYPED_TEST(Searches, PrincipalVariationsOfRandomPositionsAreLegal) {
  Searcher<TypeParam> searcher({});
  for_random_positions<TypeParam>(31, 6, 60, [&](const Board& position, const MoveList& moves) {
    const SearchReport report = searcher.search(Game<TypeParam>(position), with_nodes(400));
    EXPECT_EQ(report.best_move.is_none(), moves.empty());
    Board board = position;
    for (Move m : report.pv) {
      ASSERT_TRUE(is_legal<TypeParam>(board, m)) << to_fen<TypeParam>(position);
      make_move<TypeParam>(board, m);
    }
  });
}

TEST(Search, FindsTheMateInTwo) {
  const SearchReport report = search<StandardRules>("6k1/5ppp/8/8/8/8/1r3PPP/RR4K1 w - - 0 1", to_depth(6));
  EXPECT_EQ(to_uci(report.best_move), "a1a8");
  const SearchReport forced = search<StandardRules>("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", to_depth(8));
  EXPECT_TRUE(is_mate_score(forced.score_cp_stm));
  EXPECT_EQ(moves_to_mate(forced.score_cp_stm), 2);
}

TEST(Search, MatesByADrop) {
  const SearchReport report = search<Crazyhouse>("6k1/5ppp/8/8/8/8/5PPP/6K1[R] w - - 0 1", to_depth(4));
  EXPECT_EQ(report.score_cp_stm, mate_in(1));
  EXPECT_TRUE(report.best_move.is_drop());
}

TEST(Search, DropThatBlocksDefendsAgainstABackRankCheck) {
  const SearchReport report = search<Crazyhouse>("R5k1/5ppp/8/8/8/8/5PPP/6K1[n] b - - 0 1", to_depth(4));
  EXPECT_TRUE(report.best_move.is_drop());
  EXPECT_GT(report.score_cp_stm, -kMateInMaxPly);
}

TEST(Search, MatedOrStalematedSideHasNoMove) {
  EXPECT_TRUE(search<StandardRules>("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", to_depth(3)).best_move.is_none());
  EXPECT_TRUE(search<StandardRules>("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", to_depth(3)).best_move.is_none());
}

TEST(Search, PerpetualCheckSavesALostPosition) {
  // Black threatens mate and has two queens more; white checks on e8 and h5 for ever.
  const SearchReport report = search<StandardRules>("6k1/6p1/8/6PQ/8/8/1qq5/6K1 w - - 0 1", to_depth(8));
  EXPECT_EQ(report.score_cp_stm, kDraw);
}

TEST(Search, ThirdOccurrenceOnTheBoardIsADraw) {
  // Black, a queen behind, brings the first position about for the third time.
  Game<StandardRules> game(board_from<StandardRules>("6k1/8/8/8/8/8/1Q6/K7 w - - 0 1"));
  play_all(game, "b2c2 g8f8 c2b2 f8g8 b2c2 g8f8 c2b2");
  Searcher<StandardRules> searcher({});
  const SearchReport report = searcher.search(game, to_depth(6));
  EXPECT_EQ(report.score_cp_stm, kDraw);
  EXPECT_EQ(to_uci(report.best_move), "f8g8");
}

TEST(Search, FiftyMoveRuleMakesAWonEndingADraw) {
  const SearchReport report = search<StandardRules>("7k/8/8/8/8/8/R7/K7 w - - 99 80", to_depth(6));
  EXPECT_EQ(report.score_cp_stm, kDraw);
}

TEST(Search, MateOnTheHundredthPlyWins) {
  const SearchReport report = search<StandardRules>("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80", to_depth(4));
  EXPECT_EQ(report.score_cp_stm, mate_in(1));
}

TEST(Search, RootMovesCanBeRestricted) {
  SearchLimits limits = to_depth(4);
  const Board board = board_from<StandardRules>("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
  limits.search_moves = {*parse_uci_move<StandardRules>(board, "g1f1")};
  EXPECT_EQ(to_uci(search<StandardRules>(to_fen<StandardRules>(board), limits).best_move), "g1f1");
}

}  // namespace
}  // namespace farrier
