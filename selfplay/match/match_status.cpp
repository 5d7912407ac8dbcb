#include "selfplay/match/match_status.h"

namespace farrier {

MatchStatus status_of(const MatchSettings& settings, const MatchResult& result) {
  if (result.end == MatchEnd::Faulty || result.has_faults()) return MatchStatus::Faulty;
  switch (result.end) {
    case MatchEnd::AcceptedH1:
      return MatchStatus::Accepted;
    case MatchEnd::AcceptedH0:
      return MatchStatus::Rejected;
    case MatchEnd::AllPlayed:
      return settings.sprt ? MatchStatus::Undecided : MatchStatus::Accepted;
    case MatchEnd::Interrupted:
    case MatchEnd::Faulty:
      break;
  }
  return MatchStatus::Undecided;
}

}  // namespace farrier
