#include "tests/support/reference_rules.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace farrier::reference {
namespace {

using Steps = std::vector<std::pair<int, int>>;  // file, rank
const Steps kDiagonals{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
const Steps kStraights{{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
const Steps kAllDirections{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
const Steps kKnightLeaps{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

bool is_white(char man) { return std::isupper(static_cast<unsigned char>(man)) != 0; }
bool is_man_of(char man, bool white) { return man != '.' && is_white(man) == white; }
char lower(char man) { return static_cast<char>(std::tolower(static_cast<unsigned char>(man))); }
char of_side(char man, bool white) {
  return white ? static_cast<char>(std::toupper(static_cast<unsigned char>(man))) : lower(man);
}
std::string name(int square) {
  return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
}
int square_of(const std::string& text) { return (text[1] - '1') * 8 + (text[0] - 'a'); }
/// The square some steps away, -1 beyond the edge.
int step(int square, int files, int ranks) {
  const int file = square % 8 + files;
  const int rank = square / 8 + ranks;
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
}
bool has_hands(const Position& p) { return p.variant == "crazyhouse" || p.variant == "pocketknight"; }

void leap(int from, const Steps& steps, std::vector<int>& targets) {
  for (auto [file, rank] : steps)
    if (const int to = step(from, file, rank); to >= 0) targets.push_back(to);
}

void slide(const Position& p, int from, const Steps& directions, std::vector<int>& targets) {
  for (auto [file, rank] : directions)
    for (int to = step(from, file, rank); to >= 0; to = step(to, file, rank)) {
      targets.push_back(to);
      if (p.men[to] != '.') break;
    }
}

/// The squares that the man attacks, whoever stands on them.
std::vector<int> attacks(const Position& p, int from) {
  std::vector<int> targets;
  const int forward = is_white(p.men[from]) ? 1 : -1;
  switch (lower(p.men[from])) {
    case 'p':
      leap(from, {{1, forward}, {-1, forward}}, targets);
      break;
    case 'n':
      leap(from, kKnightLeaps, targets);
      break;
    case 'b':
      slide(p, from, kDiagonals, targets);
      break;
    case 'r':
      slide(p, from, kStraights, targets);
      break;
    case 'q':
      slide(p, from, kAllDirections, targets);
      break;
    case 'm':
      leap(from, kAllDirections, targets);
      break;
    case 'k':
      leap(from, p.variant == "knightmate" ? kKnightLeaps : kAllDirections, targets);
      break;
    default:
      std::abort();
  }
  return targets;
}

void add_pawn_move(const Position& p, int from, int to, std::vector<std::string>& moves) {
  const std::string text = name(from) + name(to);
  if (to / 8 != 0 && to / 8 != 7) {
    moves.push_back(text);
    return;
  }
  for (char promoted : std::string(p.variant == "knightmate" ? "qrbm" : "qrbn"))
    moves.push_back(text + promoted);
}

void add_pawn_moves(const Position& p, int from, std::vector<std::string>& moves) {
  const int forward = p.white_to_move ? 1 : -1;
  const int second_rank = p.white_to_move ? 1 : 6;
  for (int to : attacks(p, from))
    if (is_man_of(p.men[to], !p.white_to_move) || to == p.en_passant) add_pawn_move(p, from, to, moves);
  const int once = step(from, 0, forward);
  if (p.men[once] != '.') return;
  add_pawn_move(p, from, once, moves);
  const int twice = step(from, 0, 2 * forward);
  if (from / 8 == second_rank && p.men[twice] == '.') add_pawn_move(p, from, twice, moves);
}

void add_castling(const Position& p, std::vector<std::string>& moves) {
  const int e = p.white_to_move ? 4 : 60;
  const auto unattacked = [&](int square) { return !is_attacked(p, square, !p.white_to_move); };
  const auto empty = [&](int square) { return p.men[square] == '.'; };
  const auto allowed = [&](char side) {
    return p.castling.find(of_side(side, p.white_to_move)) != std::string::npos;
  };
  if (allowed('k') && empty(e + 1) && empty(e + 2) && unattacked(e) && unattacked(e + 1) && unattacked(e + 2))
    moves.push_back(name(e) + name(e + 2));
  if (allowed('q') && empty(e - 1) && empty(e - 2) && empty(e - 3) && unattacked(e) && unattacked(e - 1) &&
      unattacked(e - 2))
    moves.push_back(name(e) + name(e - 2));
}

void add_drops(const Position& p, std::vector<std::string>& moves) {
  for (auto [man, count] : p.hand) {
    if (count == 0 || is_white(man) != p.white_to_move) continue;
    for (int to = 0; to < 64; ++to) {
      if (p.men[to] != '.' || (lower(man) == 'p' && (to / 8 == 0 || to / 8 == 7))) continue;
      moves.push_back(std::string(1, of_side(man, true)) + "@" + name(to));
    }
  }
}

/// The change on the board and in the hands; en passant possibilities are left to `play`.
Position change(const Position& p, const std::string& move) {
  Position next = p;
  next.en_passant = -1;
  next.white_to_move = !p.white_to_move;
  if (!p.white_to_move) ++next.fullmove_number;
  ++next.halfmove_clock;

  if (move[1] == '@') {
    const char man = of_side(move[0], p.white_to_move);
    next.men[square_of(move.substr(2))] = man;
    --next.hand[man];
    next.halfmove_clock = 0;
    return next;
  }

  const int from = square_of(move.substr(0, 2));
  const int to = square_of(move.substr(2, 2));
  const char man = p.men[from];
  int taken = p.men[to] != '.' ? to : -1;
  if (lower(man) == 'p' && to == p.en_passant) taken = from / 8 * 8 + to % 8;
  if (taken >= 0) {
    if (p.variant == "crazyhouse")
      ++next.hand[of_side(p.promoted[taken] ? 'p' : p.men[taken], p.white_to_move)];
    next.men[taken] = '.';
    next.promoted[taken] = false;
  }
  next.men[from] = '.';
  next.men[to] = man;
  next.promoted[from] = false;
  next.promoted[to] = p.promoted[from];
  if (move.size() == 5) {
    next.men[to] = of_side(move[4], p.white_to_move);
    next.promoted[to] = p.variant == "crazyhouse";
  }
  if (lower(man) == 'k' && p.castling.find(of_side('k', p.white_to_move)) != std::string::npos &&
      to == from + 2)
    std::swap(next.men[to + 1], next.men[to - 1]);
  if (lower(man) == 'k' && p.castling.find(of_side('q', p.white_to_move)) != std::string::npos &&
      to == from - 2)
    std::swap(next.men[to - 2], next.men[to + 1]);

  if (taken >= 0 || lower(man) == 'p') next.halfmove_clock = 0;
  const auto lose_right = [&](char right) { std::erase(next.castling, right); };
  for (int square : {from, to}) {
    if (square == 4 || square == 7) lose_right('K');
    if (square == 4 || square == 0) lose_right('Q');
    if (square == 60 || square == 63) lose_right('k');
    if (square == 60 || square == 56) lose_right('q');
  }
  return next;
}

std::string letters_of(const Position& p, bool white) {
  std::string text;
  for (char man : std::string("qrbnp"))
    if (const auto held = p.hand.find(of_side(man, white)); held != p.hand.end())
      text.append(static_cast<std::size_t>(held->second), held->first);
  return text;
}

}  // namespace

Position read_fen(std::string_view variant, const std::string& fen) {
  Position p;
  p.variant = variant;
  p.men.fill('.');
  std::istringstream fields(fen);
  std::string board, side, en_passant;
  fields >> board >> side >> p.castling >> en_passant >> p.halfmove_clock >> p.fullmove_number;
  p.white_to_move = side == "w";
  std::erase(p.castling, '-');
  if (en_passant != "-") p.en_passant = square_of(en_passant);

  if (const auto bracket = board.find('['); bracket != std::string::npos) {
    for (char man : board.substr(bracket + 1))
      if (man != ']') ++p.hand[man];
    board.resize(bracket);
  }
  int file = 0;
  int rank = 7;
  for (char c : board) {
    if (c == '/') {
      file = 0;
      --rank;
    } else if (c == '~') {
      p.promoted[rank * 8 + file - 1] = true;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      file += c - '0';
    } else {
      p.men[rank * 8 + file++] = c;
    }
  }
  return p;
}

std::string write_fen(const Position& p) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < 8; ++file) {
      const int square = rank * 8 + file;
      if (p.men[square] == '.') {
        ++empty;
        continue;
      }
      if (empty > 0) text += std::to_string(std::exchange(empty, 0));
      text += p.men[square];
      if (p.promoted[square]) text += '~';
    }
    if (empty > 0) text += std::to_string(empty);
    if (rank > 0) text += '/';
  }
  if (has_hands(p)) text += "[" + letters_of(p, true) + letters_of(p, false) + "]";
  text += p.white_to_move ? " w " : " b ";
  text += p.castling.empty() ? "-" : p.castling;
  text += " " + (p.en_passant < 0 ? "-" : name(p.en_passant));
  return text + " " + std::to_string(p.halfmove_clock) + " " + std::to_string(p.fullmove_number);
}

bool is_attacked(const Position& p, int square, bool by_white) {
  for (int from = 0; from < 64; ++from) {
    if (!is_man_of(p.men[from], by_white)) continue;
    const std::vector<int> targets = attacks(p, from);
    if (std::find(targets.begin(), targets.end(), square) != targets.end()) return true;
  }
  return false;
}

bool in_check(const Position& p, bool white) {
  const auto royal = std::find(p.men.begin(), p.men.end(), of_side('k', white));
  return is_attacked(p, static_cast<int>(royal - p.men.begin()), !white);
}

std::vector<std::string> legal_moves(const Position& p) {
  std::vector<std::string> moves;
  for (int from = 0; from < 64; ++from) {
    if (!is_man_of(p.men[from], p.white_to_move)) continue;
    if (lower(p.men[from]) == 'p') {
      add_pawn_moves(p, from, moves);
      continue;
    }
    for (int to : attacks(p, from))
      if (!is_man_of(p.men[to], p.white_to_move)) moves.push_back(name(from) + name(to));
  }
  add_castling(p, moves);
  add_drops(p, moves);
  std::erase_if(moves, [&](const std::string& move) { return in_check(change(p, move), p.white_to_move); });
  std::sort(moves.begin(), moves.end());
  return moves;
}

Position play(const Position& p, const std::string& move) {
  Position next = change(p, move);
  if (move[1] == '@') return next;
  const int from = square_of(move.substr(0, 2));
  const int to = square_of(move.substr(2, 2));
  if (lower(p.men[from]) != 'p' || std::abs(from - to) != 16) return next;
  next.en_passant = (from + to) / 2;
  for (const std::string& reply : legal_moves(next))
    if (reply[1] != '@' && lower(next.men[square_of(reply)]) == 'p' && reply[0] != reply[2] &&
        square_of(reply.substr(2)) == next.en_passant)
      return next;
  next.en_passant = -1;
  return next;
}

}  // namespace farrier::reference
