#include "engine/search/move_picker.h"

#include "engine/nnue/evaluator.h"
#include "engine/search/see.h"
#include "engine/variants/dispatch.h"

namespace farrier {

template <VariantRules R>
Score noisy_gain(const Board& board, Move m) {
  Score gain = 0;
  if (m.is_promotion()) gain += material_value<R>(m.promoted_to()) - material_value<R>(PieceType::Pawn);
  const Piece victim = m.is_en_passant() ? Piece(~board.side_to_move, PieceType::Pawn) : board.at(m.to());
  if (!victim.is_none()) gain += capture_value<R>(victim);
  return gain;
}

template <VariantRules R>
int noisy_score(const SearchParams& params, const Board& board, const CaptureHistory& history, Move m) {
  return 16 * noisy_gain<R>(board, m) - material_value<R>(board.at(m.from()).type()) +
         history.score(board, m) * params.capture_history / 1024;
}

template <VariantRules R>
MovePicker<R>::MovePicker(const SearchParams& params, const Board& board, Move table_move,
                          const Killers& killers, const Histories& histories, const PreviousMoves& previous,
                          const CheckSquares& checks)
    : params_(params),
      board_(board),
      table_move_(!table_move.is_none() && is_legal<R>(board, table_move) ? table_move : Move()),
      killers_(killers),
      histories_(histories),
      previous_(previous),
      checks_(checks) {}

template <VariantRules R>
Move MovePicker<R>::next() {
  switch (stage_) {
    case Stage::TableMove:
      stage_ = Stage::MakeNoisy;
      if (!table_move_.is_none()) return table_move_;
      [[fallthrough]];
    case Stage::MakeNoisy:
      generate_legal<R>(board_, order_.moves(), MoveKind::Noisy);
      order_.score(0, [this](Move m) { return noisy_score<R>(params_, board_, histories_.captures, m); });
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
      if (!skip_quiets_) make_quiets();
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
void MovePicker<R>::make_quiets() {
  order_.clear();
  generate_legal<R>(board_, order_.moves(), MoveKind::Quiet);
  order_.score(0, [this](Move m) {
    const int checking = checks_.gives_check(board_, m) ? params_.check_order : 0;
    return histories_.quiet.score(params_, board_, m, previous_) + checking;
  });
}

template <VariantRules R>
bool MovePicker<R>::is_playable_killer(Move m) const {
  return !skip_quiets_ && !m.is_none() && m != table_move_ && is_legal<R>(board_, m) && !is_noisy(board_, m);
}

#define INSTANTIATE(R)                              \
  template class MovePicker<R>;                     \
  template Score noisy_gain<R>(const Board&, Move); \
  template int noisy_score<R>(const SearchParams&, const Board&, const CaptureHistory&, Move);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
