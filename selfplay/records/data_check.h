// The proof that records are what they say: legal games, right ends, scores that can be, no game twice, no shard lost.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/records/score_table.h"
#include "selfplay/records/shard_catalogue.h"

namespace farrier {

struct CheckOptions {
  /// Another set, a validation set say, that must share no game with this one.
  std::optional<ShardCatalogue> against;
  /// Two games of one run that happened to go alike are a fault, too; else they are counted.
  bool unique = false;
  int workers = 0;  // 0: all cores
  bool quiet = false;
};

struct CheckReport {
  Variant variant = Variant::Chess;
  GameSums sums;
  std::uint64_t alike = 0;  // games with the moves of another one, but a seed of their own
  ScoreTable scores;
  // With a set to check against:
  double shared_positions = 0;  // share of this set's distinct scored positions that stand there, too
  bool shared_exact = true;     // else estimated from a sample
};

/// The first fault, in the order of the shards, throws UserError with the game as FEN and moves.
CheckReport check_data(const ShardCatalogue& catalogue, const CheckOptions& options = {});
std::string check_text(const CheckReport& report, const CheckOptions& options);

}  // namespace farrier
