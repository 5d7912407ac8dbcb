// Games of a match: one opening played twice with colours swapped, ended by the rules, by adjudication or by a
// player's fault.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/chess/outcome.h"
#include "selfplay/games/adjudication.h"
#include "selfplay/games/openings.h"
#include "selfplay/match/player.h"

namespace farrier {

/// What a player said of the move that he chose.
struct MoveNote {
  std::optional<Score> score_cp_stm;
  int depth = 0;
  std::uint64_t nodes = 0;
  std::int64_t time_us = 0;  // 0 throughout in matches whose players repeat to the node
  friend bool operator==(const MoveNote&, const MoveNote&) = default;
};

/// A finished game, seen from player A.
struct MatchGame {
  int result_a = 0;  // +1, 0, -1
  Termination termination = Termination::PlyLimit;
  std::string moves;                     // after the opening, as UCI text with spaces between
  std::array<int, 2> searches{};         // moves chosen by A and by B
  std::array<std::uint64_t, 2> nodes{};  // and the nodes that they took
  std::vector<MoveNote> notes{};         // one for each of `moves`
  std::string fault{};                   // of the loser, in words; empty unless the termination is a fault
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

/// A fault as it happens, for the log.
struct FaultReport {
  std::int64_t pair = 0;
  int round = 0;   // 0 or 1: the pair's game
  int player = 0;  // 0: A, 1: B
  Fault fault;
  std::string start_fen;
  std::string moves;       // from there to the fault
  std::string fen;         // the position before it
  std::string transcript;  // of the talk with the player's process; empty for a player in this one
};

/// What both games of a pair are played under.
struct PairTerms {
  MatchAdjudication adjudication;
  std::array<std::optional<TimeControl>, 2> clocks;  // of A and of B
  std::array<std::optional<std::chrono::milliseconds>, 2> move_times;
  std::chrono::milliseconds margin{0};               // time that a clock or a move may be overdrawn
  bool keep_times = false;                           // in the notes
  std::function<bool()> halted;                      // asked before every move
  std::function<void(const FaultReport&)> on_fault;  // may be empty
};

/// Plays both games of a pair; nothing if `halted` turned true before the end. A fault loses the game for the
/// player who makes it: no legal move, no time, no answer.
template <VariantRules R>
std::optional<MatchPair> play_pair(std::int64_t index, const Opening& opening, Player<R>& a, Player<R>& b,
                                   const PairTerms& terms);

}  // namespace farrier
