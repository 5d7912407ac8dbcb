// How `match` ends for scripts.
#pragma once

#include "selfplay/match/match_settings.h"

namespace farrier {

enum class MatchStatus {
  Accepted = 0,   // H1, or without a test: all games played
  Rejected = 1,   // H0
  Faulty = 3,     // a player lost a game by a fault, whatever else the match tells
  Undecided = 4,  // interrupted, or the test has no verdict after the last game
};
MatchStatus status_of(const MatchSettings& settings, const MatchResult& result);

constexpr const char* kMatchStatusHelp =
    "Exit status: 0 if all games were played or, with --sprt, H1 was accepted; 1 if H0 was, or if the match "
    "could "
    "not be held; 2 for a wrong call; 3 if a player lost a game by a fault: its time, an illegal move, a "
    "crash; 4 if "
    "undecided: interrupted, or all games played without a verdict.";

}  // namespace farrier
