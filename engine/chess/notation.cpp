#include "engine/chess/notation.h"

#include <cctype>

#include "engine/base/quoted.h"
#include "engine/chess/fen.h"
#include "engine/chess/movegen.h"
#include "engine/variants/dispatch.h"

namespace farrier {

std::string square_name(Square s) {
  return {static_cast<char>('a' + file_of(s)), static_cast<char>('1' + rank_of(s))};
}

std::string to_uci(Move move) {
  if (move.is_none()) return "(none)";
  if (move.is_drop())
    return std::string{static_cast<char>(std::toupper(piece_letter(move.dropped()))), '@'} +
           square_name(move.to());
  std::string text = square_name(move.from()) + square_name(move.to());
  if (move.is_promotion()) text += piece_letter(move.promoted_to());
  return text;
}

template <VariantRules R>
Result<Move> parse_uci_move(const Board& board, std::string_view text) {
  std::string canonical(text);
  if (canonical.size() == 4 && canonical[1] == '@')
    canonical[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(canonical[0])));
  for (Move m : legal_moves<R>(board))
    if (to_uci(m) == canonical) return m;
  return Failure{quoted(text) + " is not a legal move in " + to_fen<R>(board)};
}

#define INSTANTIATE(R) template Result<Move> parse_uci_move<R>(const Board&, std::string_view);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
