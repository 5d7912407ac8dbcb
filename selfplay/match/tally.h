// Counts finished pairs in the order of their index, whatever the order in which workers finish them, so that
// a sequential test ends at the same pair with one worker and with sixteen.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "selfplay/match/elo.h"
#include "selfplay/match/pair_play.h"
#include "selfplay/match/pentanomial.h"
#include "selfplay/match/sprt.h"

namespace farrier {

/// Why a match ended. A sequential test that reaches its last game without a verdict is `AllPlayed`; one that
/// was told to stop at a player's fault is `Faulty`.
enum class MatchEnd { AllPlayed, AcceptedH0, AcceptedH1, Interrupted, Faulty };

/// Games by their termination.
using TerminationCounts = std::array<std::int64_t, kTerminationCount>;

/// What the counted pairs add up to.
struct MatchResult {
  MatchEnd end = MatchEnd::Interrupted;
  Pentanomial pairs;
  GameCounts games;        // from A's side
  GameCounts games_white;  // from white's side, whoever had it
  TerminationCounts terminations{};
  std::array<TerminationCounts, 2> faults{};  // games lost by a fault of A and of B
  std::array<std::int64_t, 2> searches{};     // moves chosen by A and by B
  std::array<std::uint64_t, 2> nodes{};
  std::optional<double> llr;  // with a sequential test and at least one pair

  bool has_faults() const;
  /// From pairs; nothing before the first pair.
  std::optional<EloEstimate> elo() const;
  friend bool operator==(const MatchResult&, const MatchResult&) = default;
};

class MatchTally {
 public:
  MatchTally(std::int64_t pairs_to_play, const std::optional<SprtSettings>& sprt);

  /// Takes a pair. It is counted once all pairs before it are; pairs beyond the end are dropped.
  void add(const MatchPair& pair);
  /// No further pair can change the result.
  bool decided() const { return result_.end != MatchEnd::Interrupted; }
  /// The counts up to the first pair that is missing.
  const MatchResult& result() const { return result_; }

 private:
  void count(const MatchPair& pair);

  std::int64_t pairs_to_play_;
  std::optional<SprtSettings> sprt_;
  std::map<std::int64_t, MatchPair> waiting_;  // finished ahead of a pair before them
  MatchResult result_;
};

}  // namespace farrier
