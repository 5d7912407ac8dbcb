// SAN both ways: the writer looks for the least origin that tells a move apart; the reader takes a text apart into
// what it says about a move, and asks which legal move that fits.
#include "engine/chess/san.h"

#include <cctype>
#include <optional>
#include <vector>

#include "engine/base/quoted.h"
#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/chess/notation.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

char upper_letter(PieceType t) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(piece_letter(t))));
}

/// The origin's file, rank or both, as far as other men of the kind could go to the same square.
template <VariantRules R>
std::string origin_needed(const Board& board, Move move) {
  const Square from = move.from();
  bool rivals = false;
  bool file_shared = false;
  bool rank_shared = false;
  for (Move other : legal_moves<R>(board)) {
    if (other.is_drop() || other.to() != move.to() || other.from() == from) continue;
    if (board.at(other.from()).type() != board.at(from).type()) continue;
    rivals = true;
    file_shared = file_shared || file_of(other.from()) == file_of(from);
    rank_shared = rank_shared || rank_of(other.from()) == rank_of(from);
  }
  const std::string name = square_name(from);
  if (!rivals) return {};
  if (!file_shared) return name.substr(0, 1);
  return rank_shared ? name : name.substr(1);
}

/// What a text says about a move; the rest may be anything.
struct Pattern {
  enum class Kind { Step, ShortCastling, LongCastling, Drop };
  Kind kind = Kind::Step;
  PieceType man = PieceType::None;  // none where a whole origin stands without a letter: any man
  int from_file = -1;
  int from_rank = -1;
  Square to = Square::None;
  PieceType promotion = PieceType::None;
};

bool is_file(char c) { return c >= 'a' && c <= 'h'; }
bool is_rank(char c) { return c >= '1' && c <= '8'; }

std::optional<Square> read_square(std::string_view text) {
  if (text.size() != 2 || !is_file(text[0]) || !is_rank(text[1])) return std::nullopt;
  return make_square(text[0] - 'a', text[1] - '1');
}

/// Without the space around, and without what says nothing about which move it is: `+ # ! ?` and `e.p.`.
std::string_view stripped(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  for (;;) {
    if (text.ends_with("e.p.")) {
      text.remove_suffix(4);
    } else if (text.ends_with("ep")) {
      text.remove_suffix(2);
    } else if (!text.empty() && std::string_view("+#!? \t\r\n").find(text.back()) != std::string_view::npos) {
      text.remove_suffix(1);
    } else {
      return text;
    }
  }
}

/// Takes `=Q`, `/Q`, `(Q)` or `Q` off the end of `text`; the letter may be of either case, as in UCI.
PieceType take_promotion(std::string_view& text) {
  const std::size_t n = text.size();
  if (n >= 5 && text[n - 3] == '(' && text[n - 1] == ')') {
    const PieceType type = piece_type_from_letter(text[n - 2]);
    if (type != PieceType::None) text.remove_suffix(3);
    return type;
  }
  if (n < 3) return PieceType::None;
  const PieceType type = piece_type_from_letter(text[n - 1]);
  if (type == PieceType::None) return type;
  text.remove_suffix(text[n - 2] == '=' || text[n - 2] == '/' ? 2 : 1);
  return type;
}

std::optional<Pattern> read_castling(std::string_view text) {
  std::string plain(text);
  for (char& c : plain)
    if (c == '0' || c == 'o') c = 'O';
  Pattern pattern;
  if (plain == "O-O") {
    pattern.kind = Pattern::Kind::ShortCastling;
  } else if (plain == "O-O-O") {
    pattern.kind = Pattern::Kind::LongCastling;
  } else {
    return std::nullopt;
  }
  return pattern;
}

std::optional<Pattern> read_drop(std::string_view text, std::size_t at) {
  Pattern pattern;
  pattern.kind = Pattern::Kind::Drop;
  pattern.man = PieceType::Pawn;
  if (at > 1) return std::nullopt;
  if (at == 1) pattern.man = piece_type_from_letter(text[0]);
  const auto to = read_square(text.substr(at + 1));
  if (!to || pattern.man == PieceType::None) return std::nullopt;
  pattern.to = *to;
  return pattern;
}

/// Nothing where the text has not the form of a move.
std::optional<Pattern> read_pattern(std::string_view text) {
  if (auto castling = read_castling(text)) return castling;
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) return read_drop(text, at);

  Pattern pattern;
  pattern.promotion = take_promotion(text);
  if (text.size() < 2) return std::nullopt;
  const auto to = read_square(text.substr(text.size() - 2));
  if (!to) return std::nullopt;
  pattern.to = *to;
  text.remove_suffix(2);
  if (text.size() > 1 && (text.back() == 'x' || text.back() == '-' || text.back() == ':'))
    text.remove_suffix(1);

  if (!text.empty() && std::isupper(static_cast<unsigned char>(text[0]))) {
    pattern.man = piece_type_from_letter(text[0]);
    if (pattern.man == PieceType::None) return std::nullopt;
    text.remove_prefix(1);
  }
  if (!text.empty() && is_file(text[0])) {
    pattern.from_file = text[0] - 'a';
    text.remove_prefix(1);
  }
  if (!text.empty() && is_rank(text[0])) {
    pattern.from_rank = text[0] - '1';
    text.remove_prefix(1);
  }
  if (!text.empty()) return std::nullopt;
  const bool whole_origin = pattern.from_file >= 0 && pattern.from_rank >= 0;
  if (pattern.man == PieceType::None && !whole_origin) pattern.man = PieceType::Pawn;
  return pattern;
}

/// Whether the legal move is one that the pattern means, what it promotes to left aside.
bool fits(const Board& board, const Pattern& pattern, Move move) {
  using Kind = Pattern::Kind;
  if (pattern.kind == Kind::ShortCastling) return move.is_castling() && file_of(move.to()) == 6;
  if (pattern.kind == Kind::LongCastling) return move.is_castling() && file_of(move.to()) == 2;
  if (move.to() != pattern.to || move.is_drop() != (pattern.kind == Kind::Drop)) return false;
  if (move.is_drop()) return move.dropped() == pattern.man;
  return (pattern.man == PieceType::None || board.at(move.from()).type() == pattern.man) &&
         (pattern.from_file < 0 || file_of(move.from()) == pattern.from_file) &&
         (pattern.from_rank < 0 || rank_of(move.from()) == pattern.from_rank);
}

}  // namespace

template <VariantRules R>
std::string to_san(const Board& board, Move move) {
  std::string san;
  if (move.is_castling()) {
    san = file_of(move.to()) == 6 ? "O-O" : "O-O-O";
  } else if (move.is_drop()) {
    if (move.dropped() != PieceType::Pawn) san = upper_letter(move.dropped());
    san += '@' + square_name(move.to());
  } else {
    const PieceType man = board.at(move.from()).type();
    const bool takes = move.is_en_passant() || !board.at(move.to()).is_none();
    if (man != PieceType::Pawn) {
      san = upper_letter(man) + origin_needed<R>(board, move);
    } else if (takes) {
      san = square_name(move.from()).substr(0, 1);
    }
    if (takes) san += 'x';
    san += square_name(move.to());
    if (move.is_promotion()) san += std::string{'=', upper_letter(move.promoted_to())};
  }
  const Board next = after<R>(board, move);
  if (is_check<R>(next)) san += has_legal_move<R>(next) ? '+' : '#';
  return san;
}

template <VariantRules R>
Result<Move> parse_san(const Board& board, std::string_view text) {
  const auto pattern = read_pattern(stripped(text));
  if (!pattern) return Failure{quoted(text) + " is no move"};

  std::vector<Move> found;
  bool promotes = false;
  for (Move move : legal_moves<R>(board)) {
    if (!fits(board, *pattern, move)) continue;
    promotes = promotes || move.is_promotion();
    if ((move.is_promotion() ? move.promoted_to() : PieceType::None) == pattern->promotion)
      found.push_back(move);
  }
  if (found.size() == 1) return found[0];
  const std::string place = " in " + to_fen<R>(board);
  if (found.empty()) {
    if (promotes && pattern->promotion == PieceType::None)
      return Failure{quoted(text) + " does not say what the pawn promotes to, as in '=Q'," + place};
    return Failure{quoted(text) + " is not a legal move" + place};
  }
  std::string candidates;
  for (Move move : found) candidates += (candidates.empty() ? "" : ", ") + to_san<R>(board, move);
  return Failure{quoted(text) + " may be any of " + candidates + place};
}

#define INSTANTIATE(R)                                \
  template std::string to_san<R>(const Board&, Move); \
  template Result<Move> parse_san<R>(const Board&, std::string_view);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
