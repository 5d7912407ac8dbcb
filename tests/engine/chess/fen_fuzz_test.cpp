// FENs that were mutated: nothing crashes, and what is read is a position like any other.
#include <gtest/gtest.h>

#include "engine/chess/men_limits.h"
#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

constexpr int kMutants = 100'000;

template <VariantRules R>
class FenFuzz : public testing::Test {};
TYPED_TEST_SUITE(FenFuzz, AllRules, RulesName);

/// FENs of random games, to be mutated.
template <VariantRules R>
std::vector<std::string> seeds() {
  std::vector<std::string> fens;
  for_random_positions<R>(61, 6, 120, [&](const Board& board, const MoveList&) {
    if (board.key % 4 == 0 || board.en_passant != Square::None) fens.push_back(to_fen<R>(board));
  });
  return fens;
}

/// Changes, drops, doubles or swaps a few characters.
std::string mutant(const std::vector<std::string>& fens, Rng& rng) {
  constexpr std::string_view kCommon = "PNBRQKMpnbrqkm12345678/ []~-wbKQkqabcdefgh0";
  const auto draw = [&](std::size_t bound) { return rng.below(static_cast<std::uint32_t>(bound)); };
  std::string fen = fens[draw(fens.size())];
  for (std::uint32_t n = 1 + rng.below(3); n > 0 && !fen.empty(); --n) {
    const std::size_t at = draw(fen.size());
    switch (rng.below(5)) {
      case 0:
        fen[at] = kCommon[draw(kCommon.size())];
        break;
      case 1:
        fen.insert(at, 1, kCommon[draw(kCommon.size())]);
        break;
      case 2:
        fen.erase(at, 1 + rng.below(3));
        break;
      case 3:
        std::swap(fen[at], fen[draw(fen.size())]);
        break;
      default:
        fen[at] = static_cast<char>(rng.below(256));
    }
  }
  return fen;
}

/// Whether the men of both sides together are no more of a kind than the game has. A FEN of another program may lack
/// the marks of promoted men and is read all the same; captures can then bring more into one hand than any FEN may have.
template <VariantRules R>
bool men_exist(const Board& board) {
  if (!R::kCapturesGoToHand) return true;
  for (int t = 0; t < kHandTypeCount; ++t) {
    const PieceType type = static_cast<PieceType>(t);
    int count = (board.men(type) & ~board.promoted).count() + board.in_hand(Color::White, type) +
                board.in_hand(Color::Black, type);
    if (type == PieceType::Pawn) count += board.promoted.count();
    if (count > R::kHandCapacity[index(type)]) return false;
  }
  return true;
}

TYPED_TEST(FenFuzz, AMutatedFenIsRefusedInWordsOrIsASoundPosition) {
  const std::vector<std::string> fens = seeds<TypeParam>();
  ASSERT_GT(fens.size(), 50U);
  Rng rng(62);
  int accepted = 0;
  for (int i = 0; i < kMutants; ++i) {
    const std::string fen = mutant(fens, rng);
    const Result<Board> read = parse_fen<TypeParam>(fen);
    if (!read.ok()) {
      ASSERT_TRUE(read.reason().starts_with("FEN field ") || read.reason().starts_with("a FEN "))
          << read.reason();
      continue;
    }
    ++accepted;
    const Board& board = *read;
    const std::string written = to_fen<TypeParam>(board);
    const Result<Board> again = parse_fen<TypeParam>(written);
    ASSERT_TRUE(again.ok()) << fen << " was written as " << written << ": " << again.reason();
    ASSERT_TRUE(*again == board) << fen;
    ASSERT_EQ(to_fen<TypeParam>(*again), written);
    ASSERT_EQ(board.key, board.fresh_key()) << fen;
    ASSERT_EQ(impossible_men<TypeParam>(board), "") << fen;
    const MoveList moves = legal_moves<TypeParam>(board);
    for (Move move : moves) {
      const Board next = after<TypeParam>(board, move);
      ASSERT_EQ(next.men(board.side_to_move, PieceType::King).count(), 1) << fen << " " << to_uci(move);
      ASSERT_EQ(next.men(next.side_to_move, PieceType::King).count(), 1) << fen << " " << to_uci(move);
    }
    if (moves.empty()) continue;
    const Board next = after<TypeParam>(board, moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    ASSERT_EQ(next.key, next.fresh_key()) << fen;
    if (!men_exist<TypeParam>(board)) continue;
    const Result<Board> successor = parse_fen<TypeParam>(to_fen<TypeParam>(next));
    ASSERT_TRUE(successor.ok()) << fen << " leads to " << to_fen<TypeParam>(next) << ": "
                                << successor.reason();
    ASSERT_TRUE(*successor == next) << fen;
  }
  EXPECT_GT(accepted, kMutants / 50);
}

TYPED_TEST(FenFuzz, HugeTextsAreRefusedAtOnceAndInAFewWords) {
  const std::string start(TypeParam::kStartFen);
  const std::string many(1'000'000, 'Q');
  for (const std::string& fen :
       {many, many + " w - - 0 1", std::string(1'000'000, '/') + " w", std::string(1'000'000, '8') + " w - -",
        std::string(1'000'000, ' '), "4k3/8/8/8/8/8/8/4K3[" + many + "] w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 " + many + " - - 0 1", "4k3/8/8/8/8/8/8/4K3 w " + many + " - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - " + many + " 0 1", "4k3/8/8/8/8/8/8/4K3 w - - " + many + " 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 " + std::string(1'000'000, '9'), start + " " + many,
        std::string(1'000'000, '\0'), std::string(1'000'000, '~') + " w"}) {
    const Result<Board> board = parse_fen<TypeParam>(fen);
    ASSERT_FALSE(board.ok());
    EXPECT_LT(board.reason().size(), 200U) << board.reason().substr(0, 200);
  }
}

}  // namespace
}  // namespace farrier
