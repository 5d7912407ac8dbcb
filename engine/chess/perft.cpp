#include "engine/chess/perft.h"

#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {
/// A few million paths at most: some ten milliseconds.
constexpr int kPerftDepthBetweenLooks = 3;
}  // namespace

template <VariantRules R>
std::uint64_t perft(const Board& board, int depth) {
  if (depth == 0) return 1;
  const MoveList moves = legal_moves<R>(board);
  if (depth == 1) return moves.size();
  std::uint64_t paths = 0;
  for (Move m : moves) paths += perft<R>(after<R>(board, m), depth - 1);
  return paths;
}

template <VariantRules R>
std::optional<std::uint64_t> perft_until(const Board& board, int depth,
                                         const std::function<bool()>& stopped) {
  if (stopped()) return std::nullopt;
  if (depth <= kPerftDepthBetweenLooks) return perft<R>(board, depth);
  std::uint64_t paths = 0;
  for (Move m : legal_moves<R>(board)) {
    const auto part = perft_until<R>(after<R>(board, m), depth - 1, stopped);
    if (!part) return std::nullopt;
    paths += *part;
  }
  return paths;
}

template <VariantRules R>
std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Board& board, int depth) {
  std::vector<std::pair<Move, std::uint64_t>> split;
  for (Move m : legal_moves<R>(board)) split.emplace_back(m, perft<R>(after<R>(board, m), depth - 1));
  return split;
}

#define INSTANTIATE(R)                                                                                   \
  template std::uint64_t perft<R>(const Board&, int);                                                    \
  template std::optional<std::uint64_t> perft_until<R>(const Board&, int, const std::function<bool()>&); \
  template std::vector<std::pair<Move, std::uint64_t>> perft_divide<R>(const Board&, int);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
