// Legal move generation: targets are masked by checks and pins, so that no move needs to be tried out except
// en passant captures and the royal man's own.
#include "engine/chess/movegen.h"

#include <algorithm>
#include <array>

#include "engine/chess/attacks.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

template <VariantRules R>
Bitboard royal_attacks(Square s) {
  return R::kRoyalLeapsAsKnight ? knight_attacks(s) : king_attacks(s);
}

template <VariantRules R>
Bitboard minor_attacks(Square s) {
  return R::kMinor == PieceType::Commoner ? king_attacks(s) : knight_attacks(s);
}

/// What limits the side to move: where a move must end to meet a check, and which men are pinned.
struct Constraints {
  Bitboard checkers;
  Bitboard targets;  // all squares if not in check; none in double check
  Bitboard pinned;
};

/// Enemy sliders that would give check to the side to move on an empty board.
Bitboard find_snipers(const Board& board, Square royal) {
  const Bitboard straight = board.men(PieceType::Rook) | board.men(PieceType::Queen);
  const Bitboard diagonal = board.men(PieceType::Bishop) | board.men(PieceType::Queen);
  return board.men(~board.side_to_move) &
         ((straight_lines(royal) & straight) | (diagonal_lines(royal) & diagonal));
}

/// Enemy pawns and minors that give check to the side to move; royal men never do.
template <VariantRules R>
Bitboard find_near_checkers(const Board& board, Square royal) {
  const Color us = board.side_to_move;
  return board.men(~us) & ((pawn_attacks(us, royal) & board.men(PieceType::Pawn)) |
                           (minor_attacks<R>(royal) & board.men(R::kMinor)));
}

template <VariantRules R>
Constraints find_constraints(const Board& board) {
  const Color us = board.side_to_move;
  const Square royal = board.royal(us);
  const Bitboard occupied = board.occupied();
  Constraints c{find_near_checkers<R>(board, royal), ~Bitboard(), Bitboard()};
  for (Square sniper : find_snipers(board, royal)) {
    const Bitboard blockers = between(royal, sniper) & occupied;
    if (blockers.empty()) c.checkers |= Bitboard(sniper);
    if (blockers.any() && !blockers.more_than_one()) c.pinned |= blockers & board.men(us);
  }
  if (c.checkers.any())
    c.targets = c.checkers.more_than_one() ? Bitboard() : c.checkers | between(royal, c.checkers.first());
  return c;
}

/// Whether enemies of `us` attack `s` if only the men on `occupied` stand: the others neither block nor
/// attack.
template <VariantRules R>
bool attacked(const Board& board, Color us, Square s, Bitboard occupied) {
  return (attackers_to<R>(board, s, occupied) & board.men(~us) & occupied).any();
}

/// What decides on the moves of one position: shared by those who list them and who ask about one.
template <VariantRules R>
class Judge {
 public:
  explicit Judge(const Board& board)
      : board_(board), us_(board.side_to_move), constraints_(find_constraints<R>(board)) {}

  /// Looks at one move by itself: a search asks for its table move and its killers at most nodes, where to list all
  /// moves would cost more than these save.
  bool is_legal(Move move) const {
    const Square to = move.to();
    if (move.is_drop()) return drop_is_legal(move.dropped(), to);
    const Square from = move.from();
    if (!board_.men(us_).contains(from) || board_.men(us_).contains(to)) return false;
    if (move.is_castling()) return castling_is_legal(from, to);
    const PieceType type = board_.at(from).type();
    if (type == PieceType::Pawn) {
      if (move.is_en_passant())
        return to == board_.en_passant && pawn_attacks(us_, from).contains(to) &&
               en_passant_is_safe<R>(board_, from, to);
      if (!pawn_reaches(from, to) || move.is_promotion() != kEndRanks.contains(to)) return false;
      if (move.is_promotion() && !promotes_to(move.promoted_to())) return false;
    } else {
      if (move.is_en_passant() || move.is_promotion()) return false;
      if (type == PieceType::King) return royal_attacks<R>(from).contains(to) && royal_may_stand_on(to);
      if (!officer_attacks(type, from).contains(to)) return false;
    }
    return constraints_.targets.contains(to) && pin_allows(from, to);
  }

 protected:
  bool pin_allows(Square from, Square to) const {
    return !constraints_.pinned.contains(from) || line_through(board_.royal(us_), from).contains(to);
  }

  bool royal_may_stand_on(Square to) const {
    const Bitboard others = board_.occupied() ^ Bitboard(board_.royal(us_));
    return !attacked<R>(board_, us_, to, others & ~Bitboard(to));
  }

  /// Only out of check and with the right.
  bool may_castle(Square rook, int step) const {
    const Square from = board_.royal(us_);
    return (between(from, rook) & board_.occupied()).empty() &&
           !attacked<R>(board_, us_, offset(from, step), board_.occupied()) &&
           !attacked<R>(board_, us_, offset(from, 2 * step), board_.occupied());
  }

  Bitboard officer_attacks(PieceType type, Square from) const {
    if (type == R::kMinor) return minor_attacks<R>(from);
    if (type == PieceType::Bishop) return bishop_attacks(from, board_.occupied());
    if (type == PieceType::Rook) return rook_attacks(from, board_.occupied());
    return queen_attacks(from, board_.occupied());
  }

  const Board& board_;
  const Color us_;
  const Constraints constraints_;

 private:
  bool drop_is_legal(PieceType type, Square to) const {
    if constexpr (!R::kHasDrops) return false;
    return index(type) < kHandTypeCount && board_.in_hand(us_, type) > 0 &&
           (constraints_.targets & ~board_.occupied()).contains(to) &&
           !(type == PieceType::Pawn && kEndRanks.contains(to));
  }

  bool castling_is_legal(Square from, Square to) const {
    if (constraints_.checkers.any() || from != board_.royal(us_)) return false;
    for (int step : {+1, -1}) {
      const std::uint8_t right = step > 0 ? short_right(us_) : long_right(us_);
      if ((board_.castling & right) != 0 && to == offset(from, 2 * step))
        return may_castle(relative(us_, step > 0 ? Square::H1 : Square::A1), step);
    }
    return false;
  }

  bool pawn_reaches(Square from, Square to) const {
    if (board_.men(~us_).contains(to)) return pawn_attacks(us_, from).contains(to);
    const Square once = offset(from, forward(us_));
    if (board_.occupied().contains(to) || board_.occupied().contains(once)) return false;
    return to == once || (to == offset(once, forward(us_)) && rank_of(relative(us_, from)) == 1);
  }

  static bool promotes_to(PieceType type) {
    return std::find(R::kPromotions.begin(), R::kPromotions.end(), type) != R::kPromotions.end();
  }
};

/// Lists moves; one object per call, so that the parts share what they all need.
template <VariantRules R>
class Generator : Judge<R> {
 public:
  Generator(const Board& board, MoveList& moves) : Judge<R>(board), moves_(moves) {}

  void generate(MoveKind kind) {
    Bitboard wanted = ~board_.men(us_);
    if (kind == MoveKind::Noisy) wanted = board_.men(~us_);
    if (kind == MoveKind::Quiet) wanted = ~board_.occupied();
    const Bitboard targets = wanted & constraints_.targets;
    if (constraints_.targets.any()) {
      if (kind != MoveKind::Quiet) pawn_noisy();
      if (kind != MoveKind::Noisy) pawn_quiet(~Bitboard());
      for (PieceType type : kOfficers) officers(type, targets);
    }
    royal(wanted);
    if (kind == MoveKind::Noisy) return;
    if (constraints_.checkers.empty()) castling();
    if constexpr (R::kHasDrops)
      for (int t = 0; t < kHandTypeCount; ++t) drops(static_cast<PieceType>(t), targets & ~board_.occupied());
  }

  void generate_quiet_checks(const CheckSquares& checks) {
    const Bitboard empty = ~board_.occupied();
    pawn_quiet(checks.from[index(PieceType::Pawn)]);
    for (PieceType type : kOfficers) officers(type, empty & checks.from[index(type)]);
    if constexpr (R::kHasDrops)
      for (int t = 0; t < kHandTypeCount; ++t) drops(static_cast<PieceType>(t), empty & checks.from[t]);
  }

 private:
  static constexpr std::array kOfficers{R::kMinor, PieceType::Bishop, PieceType::Rook, PieceType::Queen};

  using Judge<R>::board_;
  using Judge<R>::us_;
  using Judge<R>::constraints_;
  using Judge<R>::pin_allows;

  void add_pawn_moves(Bitboard targets, int delta) {
    for (Square to : targets& constraints_.targets) {
      const Square from = offset(to, -delta);
      if (pin_allows(from, to)) moves_.push_back(Move::normal(from, to));
    }
  }

  void add_promotions(Bitboard targets, int delta) {
    for (Square to : targets& constraints_.targets) {
      const Square from = offset(to, -delta);
      if (!pin_allows(from, to)) continue;
      for (PieceType type : R::kPromotions) moves_.push_back(Move::promotion(from, to, type));
    }
  }

  Bitboard pawns_on_seventh() const {
    return board_.men(us_, PieceType::Pawn) & rank_mask(us_ == Color::White ? 6 : 1);
  }

  void pawn_noisy() {
    const Bitboard promoting = pawns_on_seventh();
    const Bitboard others = board_.men(us_, PieceType::Pawn) & ~promoting;
    const Bitboard enemies = board_.men(~us_);
    const int up = forward(us_);
    add_promotions(pawn_attacks_west(us_, promoting) & enemies, up - 1);
    add_promotions(pawn_attacks_east(us_, promoting) & enemies, up + 1);
    add_promotions(shifted(promoting, up) & ~board_.occupied(), up);
    add_pawn_moves(pawn_attacks_west(us_, others) & enemies, up - 1);
    add_pawn_moves(pawn_attacks_east(us_, others) & enemies, up + 1);
    // A set en passant square means that a legal capture exists, but not that every pawn beside may make it.
    if (board_.en_passant == Square::None) return;
    for (Square from : pawn_attacks(~us_, board_.en_passant) & others)
      if (en_passant_is_safe<R>(board_, from, board_.en_passant))
        moves_.push_back(Move::en_passant(from, board_.en_passant));
  }

  void pawn_quiet(Bitboard wanted) {
    const Bitboard empty = ~board_.occupied();
    const Bitboard pawns = board_.men(us_, PieceType::Pawn) & ~pawns_on_seventh();
    const int up = forward(us_);
    const Bitboard once = shifted(pawns, up) & empty;
    const Bitboard twice = shifted(once & rank_mask(us_ == Color::White ? 2 : 5), up) & empty;
    add_pawn_moves(once & wanted, up);
    add_pawn_moves(twice & wanted, 2 * up);
  }

  void add_from(Square from, Bitboard attacks, Bitboard targets) {
    attacks &= targets;
    if (constraints_.pinned.contains(from)) attacks &= line_through(board_.royal(us_), from);
    for (Square to : attacks) moves_.push_back(Move::normal(from, to));
  }

  void officers(PieceType type, Bitboard targets) {
    for (Square s : board_.men(us_, type)) add_from(s, this->officer_attacks(type, s), targets);
  }

  void royal(Bitboard targets) {
    const Square from = board_.royal(us_);
    for (Square to : royal_attacks<R>(from) & targets)
      if (this->royal_may_stand_on(to)) moves_.push_back(Move::normal(from, to));
  }

  void castling() {
    if (board_.castling & short_right(us_)) castle(relative(us_, Square::H1), +1);
    if (board_.castling & long_right(us_)) castle(relative(us_, Square::A1), -1);
  }

  void castle(Square rook, int step) {
    const Square from = board_.royal(us_);
    if (this->may_castle(rook, step)) moves_.push_back(Move::castling(from, offset(from, 2 * step)));
  }

  void drops(PieceType type, Bitboard targets) {
    if (board_.in_hand(us_, type) == 0) return;
    for (Square to : type == PieceType::Pawn ? targets & ~kEndRanks : targets)
      moves_.push_back(Move::drop(type, to));
  }

  MoveList& moves_;
};

}  // namespace

template <VariantRules R>
Bitboard attackers_to(const Board& board, Square s, Bitboard occupied) {
  const Bitboard queens = board.men(PieceType::Queen);
  const Bitboard pawns = board.men(PieceType::Pawn);
  return (pawn_attacks(Color::Black, s) & pawns & board.men(Color::White)) |
         (pawn_attacks(Color::White, s) & pawns & board.men(Color::Black)) |
         (minor_attacks<R>(s) & board.men(R::kMinor)) | (royal_attacks<R>(s) & board.men(PieceType::King)) |
         (rook_attacks(s, occupied) & (board.men(PieceType::Rook) | queens)) |
         (bishop_attacks(s, occupied) & (board.men(PieceType::Bishop) | queens));
}

/// Most positions have few snipers, so that these are asked one by one rather than the large tables of sliders' attacks.
template <VariantRules R>
Bitboard checkers(const Board& board) {
  const Square royal = board.royal(board.side_to_move);
  const Bitboard occupied = board.occupied();
  Bitboard found = find_near_checkers<R>(board, royal);
  for (Square sniper : find_snipers(board, royal))
    if ((between(royal, sniper) & occupied).empty()) found |= Bitboard(sniper);
  return found;
}

template <VariantRules R>
bool en_passant_is_safe(const Board& board, Square from, Square to) {
  const Color us = board.side_to_move;
  const Square captured = offset(to, -forward(us));
  const Bitboard occupied = (board.occupied() ^ Bitboard(from) ^ Bitboard(captured)) | Bitboard(to);
  return !attacked<R>(board, us, board.royal(us), occupied);
}

template <VariantRules R>
void generate_legal(const Board& board, MoveList& moves, MoveKind kind) {
  Generator<R>(board, moves).generate(kind);
}

template <VariantRules R>
CheckSquares check_squares(const Board& board) {
  const Color them = ~board.side_to_move;
  const Square royal = board.royal(them);
  const Bitboard diagonal = bishop_attacks(royal, board.occupied());
  const Bitboard straight = rook_attacks(royal, board.occupied());
  CheckSquares squares;
  squares.from[index(PieceType::Pawn)] = pawn_attacks(them, royal);
  squares.from[index(R::kMinor)] = minor_attacks<R>(royal);
  squares.from[index(PieceType::Bishop)] = diagonal;
  squares.from[index(PieceType::Rook)] = straight;
  squares.from[index(PieceType::Queen)] = diagonal | straight;
  return squares;
}

template <VariantRules R>
void generate_quiet_checks(const Board& board, MoveList& moves) {
  Generator<R>(board, moves).generate_quiet_checks(check_squares<R>(board));
}

template <VariantRules R>
bool has_legal_move(const Board& board) {
  return !legal_moves<R>(board).empty();
}

template <VariantRules R>
bool is_legal(const Board& board, Move move) {
  return Judge<R>(board).is_legal(move);
}

#define INSTANTIATE(R)                                                \
  template void generate_legal<R>(const Board&, MoveList&, MoveKind); \
  template CheckSquares check_squares<R>(const Board&);               \
  template void generate_quiet_checks<R>(const Board&, MoveList&);    \
  template bool has_legal_move<R>(const Board&);                      \
  template bool is_legal<R>(const Board&, Move);                      \
  template bool en_passant_is_safe<R>(const Board&, Square, Square);  \
  template Bitboard attackers_to<R>(const Board&, Square, Bitboard);  \
  template Bitboard checkers<R>(const Board&);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
