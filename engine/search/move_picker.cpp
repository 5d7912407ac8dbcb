#include "engine/search/move_picker.h"

#include "engine/nnue/evaluator.h"
#include "engine/search/see.h"
#include "engine/variants/dispatch.h"

namespace farrier {

template <VariantRules R>
int noisy_score(const Board& board, Move m) {
  int score = 0;
  if (m.is_promotion()) score += material_value<R>(m.promoted_to()) - material_value<R>(PieceType::Pawn);
  const Piece victim = m.is_en_passant() ? Piece(~board.side_to_move, PieceType::Pawn) : board.at(m.to());
  if (!victim.is_none()) score += capture_value<R>(victim);
  return 16 * score - material_value<R>(board.at(m.from()).type());
}

template <VariantRules R>
MovePicker<R>::MovePicker(const Board& board, Move table_move, const Killers& killers,
                          const QuietHistory& history, int previous)
    : board_(board),
      table_move_(!table_move.is_none() && is_legal<R>(board, table_move) ? table_move : Move()),
      killers_(killers),
      history_(history),
      previous_(previous) {}

template <VariantRules R>
Move MovePicker<R>::next() {
  switch (stage_) {
    case Stage::TableMove:
      stage_ = Stage::MakeNoisy;
      if (!table_move_.is_none()) return table_move_;
      [[fallthrough]];
    case Stage::MakeNoisy:
      generate_legal<R>(board_, order_.moves(), MoveKind::Noisy);
      order_.score(0, [this](Move m) { return noisy_score<R>(board_, m); });
      stage_ = Stage::GoodNoisy;
      [[fallthrough]];
    case Stage::GoodNoisy:
      if (Move m = next_good_noisy(); !m.is_none()) return m;
      stage_ = Stage::FirstKiller;
      [[fallthrough]];
    case Stage::FirstKiller:
      stage_ = Stage::SecondKiller;
      if (is_playable_killer(killers_[0])) return killers_[0];
      [[fallthrough]];
    case Stage::SecondKiller:
      stage_ = Stage::MakeQuiets;
      if (is_playable_killer(killers_[1])) return killers_[1];
      [[fallthrough]];
    case Stage::MakeQuiets:
      if (!skip_quiets_) {
        order_.clear();
        generate_legal<R>(board_, order_.moves(), MoveKind::Quiet);
        order_.score(0, [this](Move m) { return history_.score(board_, m, previous_); });
      }
      stage_ = Stage::Quiets;
      [[fallthrough]];
    case Stage::Quiets:
      while (!skip_quiets_) {
        const Move m = order_.take_best();
        if (m.is_none()) break;
        if (m != table_move_ && m != killers_[0] && m != killers_[1]) return m;
      }
      stage_ = Stage::BadNoisy;
      [[fallthrough]];
    case Stage::BadNoisy:
      break;
  }
  return bad_at_ < bad_noisy_.size() ? bad_noisy_[bad_at_++] : Move();
}

template <VariantRules R>
Move MovePicker<R>::next_good_noisy() {
  for (Move m = order_.take_best(); !m.is_none(); m = order_.take_best()) {
    if (m == table_move_) continue;
    if (see_at_least<R>(board_, m, 0)) return m;
    bad_noisy_.push_back(m);
  }
  return Move();
}

template <VariantRules R>
bool MovePicker<R>::is_playable_killer(Move m) const {
  return !skip_quiets_ && !m.is_none() && m != table_move_ && is_legal<R>(board_, m) && !is_noisy(board_, m);
}

#define INSTANTIATE(R)          \
  template class MovePicker<R>; \
  template int noisy_score<R>(const Board&, Move);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
