#include "selfplay/match/tally.h"

#include <algorithm>

namespace farrier {

bool MatchResult::has_faults() const {
  const auto any = [](const TerminationCounts& counts) {
    return std::any_of(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
  };
  return any(faults[0]) || any(faults[1]);
}

std::optional<EloEstimate> MatchResult::elo() const {
  if (pairs.count() == 0) return std::nullopt;
  return estimate_elo(pairs.cells());
}

MatchTally::MatchTally(std::int64_t pairs_to_play, const std::optional<SprtSettings>& sprt)
    : pairs_to_play_(pairs_to_play), sprt_(sprt) {}

void MatchTally::add(const MatchPair& pair) {
  if (decided()) return;
  waiting_.emplace(pair.index, pair);
  while (!decided()) {
    const auto next = waiting_.find(result_.pairs.count());
    if (next == waiting_.end()) return;
    count(next->second);
    waiting_.erase(next);
  }
}

void MatchTally::count(const MatchPair& pair) {
  result_.pairs.add(pair.games[0].result_a, pair.games[1].result_a);
  for (std::size_t round = 0; round < 2; ++round) {
    const MatchGame& game = pair.games[round];
    result_.games.add(game.result_a);
    result_.games_white.add(round == 0 ? game.result_a : -game.result_a);
    ++result_.terminations[static_cast<std::size_t>(game.termination)];
    if (is_fault(game.termination))
      ++result_.faults[game.result_a < 0 ? 0 : 1][static_cast<std::size_t>(game.termination)];
    for (std::size_t player = 0; player < 2; ++player) {
      result_.searches[player] += game.searches[player];
      result_.nodes[player] += game.nodes[player];
    }
  }
  if (sprt_) {
    result_.llr = log_likelihood_ratio(result_.pairs.cells(), *sprt_);
    const SprtVerdict verdict = verdict_of_llr(*result_.llr, *sprt_);
    if (verdict == SprtVerdict::AcceptH1) result_.end = MatchEnd::AcceptedH1;
    if (verdict == SprtVerdict::AcceptH0) result_.end = MatchEnd::AcceptedH0;
  }
  if (!decided() && result_.pairs.count() == pairs_to_play_) result_.end = MatchEnd::AllPlayed;
}

}  // namespace farrier
