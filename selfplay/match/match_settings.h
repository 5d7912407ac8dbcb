// What a match is, frozen before its first game.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "engine/variants/variant.h"
#include "selfplay/games/openings.h"
#include "selfplay/match/opening_book.h"
#include "selfplay/match/pair_play.h"
#include "selfplay/match/player.h"
#include "selfplay/match/sprt.h"
#include "selfplay/match/tally.h"

namespace farrier {

/// Where a running match stands.
struct MatchProgress {
  const MatchResult& result;
  std::int64_t pairs_to_play;       // at most, with a sequential test
  std::int64_t pairs_this_session;  // finished since this start, counted yet or not
  double seconds_this_session;
};

struct MatchSettings {
  Variant variant = Variant::Chess;
  PlayerSpec a, b;
  OpeningSettings openings;          // drawn at random, unless there is ...
  std::optional<BookSettings> book;  // ... a book
  MatchAdjudication adjudication;
  std::int64_t games = 400;  // even; with a sequential test the most that are played
  std::optional<SprtSettings> sprt;
  /// Pair i of a match depends on the settings above, `seed` and i alone, unless a player is timed.
  std::uint64_t seed = 1;
  int pairing = 0;  // the match's number in a tournament, from 1; its journal may hold the others too
  std::chrono::milliseconds margin{0};  // time that may be overdrawn before it is lost

  int workers = 0;                         // 0: one per core
  std::filesystem::path journal;           // empty: none, and a killed match is lost
  std::filesystem::path log;               // of faults and delays; empty: faults go to standard error
  std::chrono::milliseconds stall{10000};  // an answer later than its time by this much never comes
  bool stop_on_fault = false;  // the match then ends as `Faulty`, and its journal goes on before it
  bool affinity = false;       // a worker's engines share one core of their own
  const std::atomic<bool>* stop = nullptr;
  /// Called after every finished pair, by one worker at a time.
  std::function<void(const MatchProgress&)> on_progress;
};

}  // namespace farrier
