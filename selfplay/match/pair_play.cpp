#include "selfplay/match/pair_play.h"

#include <fmt/core.h>

#include "engine/chess/fen.h"
#include "engine/chess/movegen.h"
#include "engine/chess/notation.h"
#include "engine/variants/dispatch.h"

namespace farrier {

namespace {

void append_move(std::string& text, Move move) {
  if (!text.empty()) text += ' ';
  text += to_uci(move);
}

double in_ms(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e6; }

/// One game while it is played; `players[0]` is A.
template <VariantRules R>
class GameInPlay {
 public:
  GameInPlay(const MatchPair& pair, int round, const Game<R>& start, const std::array<Player<R>*, 2>& players,
             const PairTerms& terms)
      : pair_(pair), round_(round), players_(players), terms_(terms), game_(start), past_(pair.opening) {
    for (std::size_t player = 0; player < 2; ++player)
      if (terms.clocks[player]) clocks_[player].emplace(*terms.clocks[player]);
  }

  std::optional<MatchGame> play() {
    for (Player<R>* player : players_) player->new_game();
    Adjudicator adjudicator(terms_.adjudication.calls);
    for (std::optional<Outcome> end = game_.outcome(); !end;) {
      if (terms_.halted()) return std::nullopt;
      const Color mover = game_.board().side_to_move;
      const int player = player_of(mover);
      const PlayerMove choice = players_[player]->choose(turn());
      if (choice.interrupted) return std::nullopt;
      if (const std::optional<Fault> fault = fault_of(choice, player)) {
        lose(player, *fault);
        return played_;
      }
      keep(choice, player);
      const auto called = adjudicator.observe(mover, choice.score_cp_stm.value_or(0), game_.plies());
      game_.play(choice.move);

      end = game_.outcome();
      if (!end) end = called;
      if (!end && game_.plies() >= terms_.adjudication.max_plies) end = Outcome{Termination::PlyLimit, 0};
      if (end) {
        played_.termination = end->termination;
        played_.result_a = player_of(Color::White) == 0 ? end->result_white : -end->result_white;
      }
    }
    return played_;
  }

 private:
  /// In the first game A has white.
  int player_of(Color color) const { return (color == Color::White) == (round_ == 0) ? 0 : 1; }

  Turn<R> turn() const {
    const auto reading = [this](Color color) -> std::optional<ClockReading> {
      const std::optional<GameClock>& clock = clocks_[player_of(color)];
      if (!clock) return std::nullopt;
      return clock->reading();
    };
    return {.game = game_,
            .start_fen = pair_.start_fen,
            .moves = past_,
            .clocks = {reading(Color::White), reading(Color::Black)},
            .halted = terms_.halted};
  }

  /// Charges the move to the player's clock and checks it.
  std::optional<Fault> fault_of(const PlayerMove& choice, int player) {
    if (choice.fault) return choice.fault;
    if (std::optional<GameClock>& clock = clocks_[player]) {
      const std::int64_t left_ms = clock->reading().time_ms;
      if (!clock->spend(choice.elapsed, terms_.margin))
        return Fault{Termination::TimeForfeit,
                     fmt::format("took {:.1f} ms and had {} ms", in_ms(choice.elapsed), left_ms)};
    }
    if (const auto& limit = terms_.move_times[player]; limit && choice.elapsed > *limit + terms_.margin)
      return Fault{Termination::TimeForfeit,
                   fmt::format("took {:.1f} ms of {} ms a move", in_ms(choice.elapsed), limit->count())};
    if (choice.move.is_none() || !is_legal<R>(game_.board(), choice.move))
      return Fault{Termination::IllegalMove, to_uci(choice.move) + " is not legal"};
    return std::nullopt;
  }

  void keep(const PlayerMove& choice, int player) {
    ++played_.searches[player];
    played_.nodes[player] += choice.nodes;
    append_move(played_.moves, choice.move);
    append_move(past_, choice.move);
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(choice.elapsed).count();
    played_.notes.push_back({.score_cp_stm = choice.score_cp_stm,
                             .depth = choice.depth,
                             .nodes = choice.nodes,
                             .time_us = terms_.keep_times ? us : 0});
  }

  void lose(int player, const Fault& fault) {
    played_.termination = fault.kind;
    played_.result_a = player == 0 ? -1 : +1;
    played_.fault = fault.what;
    std::string transcript = players_[player]->dismiss();
    if (terms_.on_fault)
      terms_.on_fault({.pair = pair_.index,
                       .round = round_,
                       .player = player,
                       .fault = fault,
                       .start_fen = pair_.start_fen,
                       .moves = past_,
                       .fen = to_fen<R>(game_.board()),
                       .transcript = std::move(transcript)});
  }

  const MatchPair& pair_;
  const int round_;
  const std::array<Player<R>*, 2>& players_;
  const PairTerms& terms_;
  Game<R> game_;
  std::string past_;  // all moves from the start position
  std::array<std::optional<GameClock>, 2> clocks_;
  MatchGame played_;
};

}  // namespace

template <VariantRules R>
std::optional<MatchPair> play_pair(std::int64_t index, const Opening& opening, Player<R>& a, Player<R>& b,
                                   const PairTerms& terms) {
  MatchPair pair{.index = index, .start_fen = to_fen<R>(opening.start), .opening = {}, .games = {}};
  Game<R> start(opening.start);
  for (Move move : opening.moves) {
    start.play(move);
    append_move(pair.opening, move);
  }
  const std::array<Player<R>*, 2> players{&a, &b};
  for (int round = 0; round < 2; ++round) {
    std::optional<MatchGame> game = GameInPlay<R>(pair, round, start, players, terms).play();
    if (!game) return std::nullopt;
    pair.games[round] = *std::move(game);
  }
  return pair;
}

#define FARRIER_INSTANTIATE(R)                                                                         \
  template std::optional<MatchPair> play_pair<R>(std::int64_t, const Opening&, Player<R>&, Player<R>&, \
                                                 const PairTerms&);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
