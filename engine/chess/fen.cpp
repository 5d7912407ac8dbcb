#include "engine/chess/fen.h"

#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "engine/base/quoted.h"
#include "engine/chess/make_move.h"
#include "engine/chess/men_limits.h"
#include "engine/chess/movegen.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

constexpr std::string_view kLetters = "pnbrqkm";
constexpr std::string_view kCastlingLetters = "KQkq";  // in the order of the CastlingRight bits

std::vector<std::string_view> split_fields(std::string_view text) {
  std::vector<std::string_view> fields;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\r\n", at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    fields.push_back(text.substr(at, end - at));
    at = end;
  }
  return fields;
}

Failure board_failure(const std::string& reason) { return {"FEN field 1 (board): " + reason}; }

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

template <VariantRules R>
bool plays_in(PieceType t) {
  return t != PieceType::None && (t == R::kMinor || (t != PieceType::Knight && t != PieceType::Commoner));
}

/// Splits "ranks[hands]", "ranks/hands" (a ninth rank) or "ranks" into ranks and hands.
std::optional<std::pair<std::string_view, std::string_view>> split_hands(std::string_view field) {
  const std::size_t bracket = field.find('[');
  if (bracket != std::string_view::npos) {
    if (field.back() != ']') return std::nullopt;
    return std::pair{field.substr(0, bracket), field.substr(bracket + 1, field.size() - bracket - 2)};
  }
  std::size_t slash = 0;
  for (int i = 0; i < 8; ++i) {
    slash = field.find('/', slash);
    if (slash == std::string_view::npos) return std::pair{field, std::string_view()};
    ++slash;
  }
  return std::pair{field.substr(0, slash - 1), field.substr(slash)};
}

/// Returns the reason of a fault, empty if the ranks are sound.
template <VariantRules R>
std::string read_ranks(std::string_view ranks, Board& board) {
  int file = 0;
  int rank = 7;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const char c = ranks[i];
    if (c == '/') {
      if (file != 8 || rank == 0)
        return "rank " + std::to_string(rank + 1) + " does not describe eight squares";
      file = 0;
      --rank;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else {
      const PieceType type = piece_type_from_letter(c);
      if (!plays_in<R>(type)) return "'" + std::string(1, c) + "' is no man of " + std::string(R::kUciName);
      const bool marked = i + 1 < ranks.size() && ranks[i + 1] == '~';
      if (marked && !R::kCapturesGoToHand) return "'~' marks promoted men in crazyhouse only";
      if (marked && (type == PieceType::Pawn || type == PieceType::King))
        return "'~' can't follow '" + std::string(1, c) + "': only a promoted man carries it";
      if (file < 8)
        board.put(Piece(is_upper(c) ? Color::White : Color::Black, type, marked), make_square(file, rank));
      ++file;
      if (marked) ++i;
    }
    if (file > 8) return "rank " + std::to_string(rank + 1) + " describes more than eight squares";
  }
  if (rank != 0 || file != 8) return "it does not describe eight ranks of eight squares";
  return {};
}

template <VariantRules R>
std::string read_hands(std::string_view hands, Board& board) {
  if (hands == "-") hands = {};
  for (char c : hands) {
    const PieceType type = piece_type_from_letter(c);
    if (index(type) >= kHandTypeCount || R::kHandCapacity[index(type)] == 0)
      return "'" + std::string(1, c) + "' can't be held in hand in " + std::string(R::kUciName);
    const Color color = is_upper(c) ? Color::White : Color::Black;
    const int held = board.in_hand(color, type) + 1;
    if (held > R::kHandCapacity[index(type)])
      return "a hand holds more '" + std::string(1, c) + "' than exist in " + std::string(R::kUciName);
    board.set_in_hand(color, type, held);
  }
  return {};
}

/// Keeps the rights whose king and unpromoted rook stand at home.
std::optional<std::uint8_t> read_castling(std::string_view field, const Board& board) {
  std::uint8_t rights = 0;
  if (field == "-") return rights;
  std::array<bool, 4> named{};
  for (char c : field) {
    const std::size_t bit = kCastlingLetters.find(c);
    if (bit == std::string_view::npos || named[bit]) return std::nullopt;
    named[bit] = true;
    const Color color = bit < 2 ? Color::White : Color::Black;
    const Square rook = relative(color, bit % 2 == 0 ? Square::H1 : Square::A1);
    if (board.at(relative(color, Square::E1)) == Piece(color, PieceType::King) &&
        board.at(rook) == Piece(color, PieceType::Rook))
      rights |= static_cast<std::uint8_t>(1 << bit);
  }
  return rights;
}

/// The en passant square if the last move can have been that double step, None if not; empty for a bad field.
std::optional<Square> read_en_passant(std::string_view field, const Board& board) {
  if (field == "-") return Square::None;
  if (field.size() != 2 || field[0] < 'a' || field[0] > 'h' || (field[1] != '3' && field[1] != '6'))
    return std::nullopt;
  const Square passed = make_square(field[0] - 'a', field[1] - '1');
  const Color mover = ~board.side_to_move;
  if (rank_of(relative(mover, passed)) != 2) return Square::None;
  const bool possible = board.at(passed).is_none() && board.at(offset(passed, -forward(mover))).is_none() &&
                        board.at(offset(passed, forward(mover))) == Piece(mover, PieceType::Pawn);
  return possible ? passed : Square::None;
}

std::optional<std::uint16_t> read_counter(std::string_view field) {
  std::uint16_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || value > 10000) return std::nullopt;
  return value;
}

}  // namespace

char piece_letter(PieceType t) { return kLetters[index(t)]; }

PieceType piece_type_from_letter(char letter) {
  const char lower = is_upper(letter) ? static_cast<char>(letter - 'A' + 'a') : letter;
  const std::size_t at = kLetters.find(lower);
  return at == std::string_view::npos ? PieceType::None : static_cast<PieceType>(at);
}

template <VariantRules R>
Result<Board> parse_fen(std::string_view fen) {
  const std::vector<std::string_view> fields = split_fields(fen);
  if (fields.size() < 2) return Failure{"a FEN needs at least a board and the side to move"};
  if (fields.size() > 6)
    return Failure{"a FEN has at most six fields, this one has " + std::to_string(fields.size())};
  const auto field = [&](std::size_t i, std::string_view absent) {
    return i < fields.size() ? fields[i] : absent;
  };

  Board board;
  const auto parts = split_hands(fields[0]);
  if (!parts) return board_failure("the hands lack their closing ']'");
  if (std::string fault = read_ranks<R>(parts->first, board); !fault.empty()) return board_failure(fault);
  if (std::string fault = read_hands<R>(parts->second, board); !fault.empty()) return board_failure(fault);

  if (fields[1] != "w" && fields[1] != "b")
    return Failure{"FEN field 2 (side to move): " + quoted(fields[1]) + " is neither w nor b"};
  if (fields[1] == "b") board.flip_side_to_move();
  if (std::string fault = impossible_men<R>(board); !fault.empty()) return board_failure(fault);
  const Color waiting = ~board.side_to_move;
  const Bitboard attackers = attackers_to<R>(board, board.royal(waiting), board.occupied());
  if ((attackers & board.men(board.side_to_move)).any())
    return Failure{"FEN field 2 (side to move): the side not to move is in check"};

  const auto rights = read_castling(field(2, "-"), board);
  if (!rights)
    return Failure{"FEN field 3 (castling): " + quoted(fields[2]) +
                   " is not made of K, Q, k, q, each once at most"};
  board.set_castling(*rights);
  const auto passed = read_en_passant(field(3, "-"), board);
  if (!passed) return Failure{"FEN field 4 (en passant): " + quoted(fields[3]) + " is no en passant square"};
  set_en_passant_if_legal<R>(board, *passed);
  const auto halfmoves = read_counter(field(4, "0"));
  if (!halfmoves) return Failure{"FEN field 5 (halfmove clock): " + quoted(fields[4]) + " is no move count"};
  board.halfmove_clock = *halfmoves;
  const auto fullmoves = read_counter(field(5, "1"));
  if (!fullmoves) return Failure{"FEN field 6 (move number): " + quoted(fields[5]) + " is no move count"};
  board.fullmove_number = std::max<std::uint16_t>(*fullmoves, 1);
  return board;
}

template <VariantRules R>
std::string to_fen(const Board& board) {
  const auto letter = [](Color c, PieceType t) {
    const char lower = piece_letter(t);
    return c == Color::White ? static_cast<char>(lower - 'a' + 'A') : lower;
  };
  std::string fen;
  for (int rank = 7; rank >= 0; --rank) {
    int gap = 0;
    const auto close_gap = [&] {
      if (gap > 0) fen += std::to_string(gap);
      gap = 0;
    };
    for (int file = 0; file < 8; ++file) {
      const Piece piece = board.at(make_square(file, rank));
      if (piece.is_none()) {
        ++gap;
        continue;
      }
      close_gap();
      fen += letter(piece.color(), piece.type());
      if (piece.promoted()) fen += '~';
    }
    close_gap();
    if (rank > 0) fen += '/';
  }
  if constexpr (R::kHasDrops) {
    fen += '[';
    for (Color c : {Color::White, Color::Black})
      for (int t = kHandTypeCount - 1; t >= 0; --t) {
        // The written order is Q R B N P, which is this order backwards.
        const PieceType type = static_cast<PieceType>(t);
        fen.append(static_cast<std::size_t>(board.in_hand(c, type)), letter(c, type));
      }
    fen += ']';
  }
  fen += board.side_to_move == Color::White ? " w " : " b ";
  for (std::size_t bit = 0; bit < kCastlingLetters.size(); ++bit)
    if (board.castling >> bit & 1) fen += kCastlingLetters[bit];
  if (board.castling == 0) fen += '-';
  fen += ' ';
  fen += board.en_passant == Square::None ? std::string("-")
                                          : std::string{static_cast<char>('a' + file_of(board.en_passant)),
                                                        static_cast<char>('1' + rank_of(board.en_passant))};
  return fen + ' ' + std::to_string(board.halfmove_clock) + ' ' + std::to_string(board.fullmove_number);
}

template <VariantRules R>
Board start_board() {
  return *parse_fen<R>(R::kStartFen);
}

#define INSTANTIATE(R)                                   \
  template Result<Board> parse_fen<R>(std::string_view); \
  template std::string to_fen<R>(const Board&);          \
  template Board start_board<R>();
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
