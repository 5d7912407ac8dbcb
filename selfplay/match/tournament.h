// Several players: a list of matches between two of them, one after the other, over the same openings.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "selfplay/match/match_settings.h"

namespace farrier {

enum class TournamentScheme {
  RoundRobin,  // everyone meets everyone
  Gauntlet     // the first player meets everyone else
};

/// Who meets whom, as indices of players; `a` and `b` as in a match.
struct Pairing {
  std::size_t a = 0, b = 0;
  friend bool operator==(const Pairing&, const Pairing&) = default;
};
std::vector<Pairing> pairings_of(std::size_t players, TournamentScheme scheme);

struct TournamentSettings {
  MatchSettings match;  // of each pairing, save its players and its number
  std::vector<PlayerSpec> players;
  TournamentScheme scheme = TournamentScheme::RoundRobin;

  /// The settings of the match that is number `number`, from 0.
  MatchSettings match_of(std::size_t number) const;
};

/// A pairing and what became of its match.
struct PairingResult {
  Pairing pairing;
  MatchSettings settings;
  MatchResult result;
};

/// Plays the matches, or the rest of them if the journal holds a part; ends early if one is interrupted or, where
/// that was asked for, faulty. `on_match` is called before each. Throws UserError as run_match does, and WrongCall
/// for players that can't be told apart by name.
std::vector<PairingResult> run_tournament(const TournamentSettings& settings,
                                          const std::function<void(const MatchSettings&)>& on_match);

/// The cross table: a line for each player, best first, with his points against each other one.
std::string cross_table(const TournamentSettings& settings, const std::vector<PairingResult>& results);
/// The table after a report of every match.
std::string tournament_text(const TournamentSettings& settings, const std::vector<PairingResult>& results);
nlohmann::json tournament_json(const TournamentSettings& settings, const std::vector<PairingResult>& results);

}  // namespace farrier
