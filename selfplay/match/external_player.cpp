#include "selfplay/match/external_player.h"

#include <fmt/core.h>

#include "engine/base/error.h"
#include "engine/chess/notation.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// Starts that may fail one after the other before the match is given up.
constexpr int kFailedStarts = 5;
/// What a move may take where nothing but nodes or depth limits it.
constexpr std::chrono::milliseconds kUntimedMove{60000};

std::string position_text(std::string_view fen, Variant variant, const std::string& moves) {
  std::string text = "position ";
  text += fen == start_fen(variant) ? "startpos" : fmt::format("fen {}", fen);
  return moves.empty() ? text : text + " moves " + moves;
}

/// `clocks` are white's and black's, `own` is the index of the player's own.
std::string go_text(const PlayerSpec& spec, const std::array<std::optional<ClockReading>, 2>& clocks,
                    std::size_t own) {
  std::string text = "go";
  if (clocks[own]) {
    // Engines expect both clocks. An opponent without one is said to have as much.
    const ClockReading& white = clocks[0] ? *clocks[0] : *clocks[own];
    const ClockReading& black = clocks[1] ? *clocks[1] : *clocks[own];
    text += fmt::format(" wtime {} btime {} winc {} binc {}", white.time_ms, black.time_ms,
                        white.increment_ms, black.increment_ms);
    if (clocks[own]->moves_to_go > 0) text += fmt::format(" movestogo {}", clocks[own]->moves_to_go);
  }
  if (spec.move_time) text += fmt::format(" movetime {}", spec.move_time->count());
  if (spec.hard_nodes) text += fmt::format(" nodes {}", *spec.hard_nodes);
  if (spec.depth) text += fmt::format(" depth {}", *spec.depth);
  return text;
}

}  // namespace

template <VariantRules R>
ExternalPlayer<R>::ExternalPlayer(const PlayerSpec& spec, const EngineTerms& terms)
    : spec_(spec), terms_(terms) {
  spec_.engine->child.core = terms.core;
  start();
}

template <VariantRules R>
void ExternalPlayer<R>::start() {
  engine_ = std::make_unique<UciEngine>(spec_.name, *spec_.engine, R::kVariant, terms_.stall);
  if (!terms_.on_remark) return;
  for (const std::string& remark : engine_->remarks()) terms_.on_remark(spec_.name + ": " + remark);
}

template <VariantRules R>
void ExternalPlayer<R>::new_game() {
  fault_.reset();
  starts_game_ = true;
  if (spec_.engine->restart_every_game) engine_.reset();
  if (engine_) return;
  try {
    start();
    failed_starts_ = 0;
  } catch (const UserError& error) {
    if (++failed_starts_ == kFailedStarts) throw;
    fault_ = Fault{Termination::Crash, std::string("does not start again: ") + error.what()};
  }
}

template <VariantRules R>
PlayerMove ExternalPlayer<R>::choose(const Turn<R>& turn) {
  PlayerMove choice;
  if (starts_game_ && !fault_) fault_ = engine_->start_game(turn.halted);
  starts_game_ = false;
  if (fault_) {
    choice.fault = fault_;
    return choice;
  }
  const std::size_t own = turn.game.board().side_to_move == Color::White ? 0 : 1;
  std::chrono::milliseconds budget = spec_.move_time.value_or(kUntimedMove);
  if (turn.clocks[own]) budget = std::chrono::milliseconds(turn.clocks[own]->time_ms);
  const UciAnswer answer = engine_->search(position_text(turn.start_fen, R::kVariant, turn.moves),
                                           go_text(spec_, turn.clocks, own), budget, turn.halted);
  choice.elapsed = answer.elapsed;
  choice.interrupted = answer.interrupted;
  choice.fault = answer.fault;
  choice.score_cp_stm = answer.info.score_cp_stm;
  choice.depth = answer.info.depth;
  choice.nodes = answer.info.nodes;
  if (choice.interrupted || choice.fault) return choice;
  if (terms_.latency != nullptr) terms_.latency->add(answer.our_latency);
  if (const Result<Move> move = parse_uci_move<R>(turn.game.board(), answer.best_move))
    choice.move = *move;
  else
    choice.fault = Fault{Termination::IllegalMove, fmt::format("{}: {}", answer.best_move, move.reason())};
  return choice;
}

template <VariantRules R>
std::string ExternalPlayer<R>::dismiss() {
  if (!engine_) return {};
  engine_->kill();  // whatever state it is in
  std::string transcript = engine_->transcript();
  engine_.reset();
  return transcript;
}

#define FARRIER_INSTANTIATE(R) template class ExternalPlayer<R>;
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
