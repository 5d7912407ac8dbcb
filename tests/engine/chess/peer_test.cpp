// Debian's fairy-stockfish, an independent program, counts the same move paths on random positions.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "engine/chess/perft.h"
#include "tests/support/rules_testing.h"
#include "tests/support/uci_process.h"

namespace farrier {
namespace {

constexpr int kPositions = 200;
/// Depth 3 where it stays cheap for the peer, else 2.
constexpr std::uint64_t kMaxPaths = 150'000;

template <VariantRules R>
class Peer : public testing::Test {};
TYPED_TEST_SUITE(Peer, AllRules, RulesName);

/// One position from each of many random games, after a random number of plies.
template <VariantRules R>
std::vector<Board> random_positions() {
  std::vector<Board> positions;
  for (std::uint64_t game = 0; positions.size() < kPositions; ++game) {
    Rng rng(derive_seed(11, static_cast<std::uint64_t>(R::kVariant), game));
    Board board = start_board<R>();
    MoveList moves = legal_moves<R>(board);
    for (std::uint32_t left = 1 + rng.below(120); left > 0 && !moves.empty(); --left) {
      make_move<R>(board, random_move(board, moves, rng));
      moves = legal_moves<R>(board);
    }
    if (!moves.empty()) positions.push_back(board);
  }
  return positions;
}

TYPED_TEST(Peer, FairyStockfishCountsTheSamePathsOnRandomPositions) {
  const std::string program = find_program("fairy-stockfish");
  if (program.empty()) GTEST_SKIP() << "fairy-stockfish is not installed";
  UciProcess peer(program);
  peer.send("setoption name UCI_Variant value " + std::string(TypeParam::kUciName));
  peer.wait_until_ready();

  int deep = 0;
  for (const Board& board : random_positions<TypeParam>()) {
    const int depth = perft<TypeParam>(board, 3) <= kMaxPaths ? 3 : 2;
    deep += depth == 3;
    std::map<std::string, std::uint64_t> ours;
    for (auto [move, paths] : perft_divide<TypeParam>(board, depth)) ours[to_uci(move)] = paths;
    const std::string fen = to_fen<TypeParam>(board);
    EXPECT_EQ(peer.perft_divide(fen, depth), ours) << fen << " depth " << depth;
  }
  EXPECT_GT(deep, kPositions / 5);
}

}  // namespace
}  // namespace farrier
