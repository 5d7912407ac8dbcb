// FEN with hands in brackets and promoted men marked with `~`.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/chess/board.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// Reads a FEN. Accepts hands as `[QNp]`, `[]`, `[-]`, as a ninth rank, or absent (empty), and missing
/// clocks. Castling rights and en passant squares that the board can't support are dropped. A position that
/// the rules can't produce (no royal man, too many men, the side not to move in check, ...) fails with field
/// and reason.
template <VariantRules R>
Result<Board> parse_fen(std::string_view fen);

/// The one canonical FEN of a position.
template <VariantRules R>
std::string to_fen(const Board& board);

/// The variant's start position.
template <VariantRules R>
Board start_board();

/// The FEN letter of a man, lower case: p n b r q k m.
char piece_letter(PieceType t);
/// The type of a FEN letter of either case, None if it is no man of any variant.
PieceType piece_type_from_letter(char letter);

}  // namespace farrier
