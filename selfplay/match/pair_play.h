// Games of a match: one opening played twice with colours swapped, ended by the rules or by adjudication.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/chess/outcome.h"
#include "selfplay/games/adjudication.h"
#include "selfplay/games/openings.h"
#include "selfplay/match/player.h"

namespace farrier {

/// A finished game, seen from player A.
struct MatchGame {
  int result_a = 0;  // +1, 0, -1
  Termination termination = Termination::PlyLimit;
  std::string moves;                     // after the opening, as UCI text with spaces between
  std::array<int, 2> searches{};         // moves chosen by A and by B
  std::array<std::uint64_t, 2> nodes{};  // and the nodes that they took
  friend bool operator==(const MatchGame&, const MatchGame&) = default;
};

/// The unit of a match's statistics. In the first game A has white.
struct MatchPair {
  std::int64_t index = 0;
  std::string start_fen;
  std::string opening;  // moves from there, as UCI text
  std::array<MatchGame, 2> games;
  friend bool operator==(const MatchPair&, const MatchPair&) = default;
};

/// When a game of the match ends before the rules end it.
struct MatchAdjudication {
  /// Wins and draws are called when the scores of both players agree.
  AdjudicationSettings calls{.win_score_cp = 1000, .win_plies = 8, .played_out_share = 0};
  int max_plies = 512;  // a draw then; the opening's plies count
};

/// Plays both games of a pair; nothing if `halted` turned true before the end. A player who returns an
/// illegal move throws UserError: nobody's win, since a match of broken players measures nothing.
template <VariantRules R>
std::optional<MatchPair> play_pair(std::int64_t index, const Opening& opening, Player<R>& a, Player<R>& b,
                                   const MatchAdjudication& adjudication,
                                   const std::function<bool()>& halted);

}  // namespace farrier
