#include "selfplay/match/pair_play.h"

#include <fmt/core.h>

#include "engine/base/error.h"
#include "engine/chess/fen.h"
#include "engine/chess/movegen.h"
#include "engine/chess/notation.h"
#include "engine/variants/dispatch.h"

namespace farrier {

namespace {

template <VariantRules R>
Move legal_move_of(const PlayerMove& choice, const Board& board, int player) {
  if (!choice.move.is_none() && is_legal<R>(board, choice.move)) return choice.move;
  throw UserError(fmt::format("match: player {} answered {} in \"{}\", which is no legal move; report this",
                              "AB"[player], to_uci(choice.move), to_fen<R>(board)));
}

void append_move(std::string& text, Move move) {
  if (!text.empty()) text += ' ';
  text += to_uci(move);
}

/// `players[0]` is A; `white` is the index of the player who has white.
template <VariantRules R>
std::optional<MatchGame> play_match_game(Game<R> game, const std::array<Player<R>*, 2>& players, int white,
                                         const MatchAdjudication& adjudication,
                                         const std::function<bool()>& halted) {
  for (Player<R>* player : players) player->new_game();
  Adjudicator adjudicator(adjudication.calls);
  MatchGame played;
  for (std::optional<Outcome> end = game.outcome(); !end;) {
    if (halted()) return std::nullopt;
    const Color mover = game.board().side_to_move;
    const int player = mover == Color::White ? white : 1 - white;
    const PlayerMove choice = players[player]->choose(game);
    const Move move = legal_move_of<R>(choice, game.board(), player);
    ++played.searches[player];
    played.nodes[player] += choice.nodes;
    append_move(played.moves, move);
    const std::optional<Outcome> called = adjudicator.observe(mover, choice.score_cp_stm, game.plies());
    game.play(move);

    end = game.outcome();
    if (!end) end = called;
    if (!end && game.plies() >= adjudication.max_plies) end = Outcome{Termination::PlyLimit, 0};
    if (end) {
      played.termination = end->termination;
      played.result_a = white == 0 ? end->result_white : -end->result_white;
    }
  }
  return played;
}

}  // namespace

template <VariantRules R>
std::optional<MatchPair> play_pair(std::int64_t index, const Opening& opening, Player<R>& a, Player<R>& b,
                                   const MatchAdjudication& adjudication,
                                   const std::function<bool()>& halted) {
  MatchPair pair{.index = index, .start_fen = to_fen<R>(opening.start), .opening = {}, .games = {}};
  Game<R> start(opening.start);
  for (Move move : opening.moves) {
    start.play(move);
    append_move(pair.opening, move);
  }
  for (int round = 0; round < 2; ++round) {
    std::optional<MatchGame> game = play_match_game<R>(start, {&a, &b}, round, adjudication, halted);
    if (!game) return std::nullopt;
    pair.games[round] = *std::move(game);
  }
  return pair;
}

#define FARRIER_INSTANTIATE(R)                                                                         \
  template std::optional<MatchPair> play_pair<R>(std::int64_t, const Opening&, Player<R>&, Player<R>&, \
                                                 const MatchAdjudication&, const std::function<bool()>&);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
