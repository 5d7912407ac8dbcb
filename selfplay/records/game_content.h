// What makes two recorded games the same: start and moves, whatever their labels.
#pragma once

#include <compare>
#include <cstdint>

#include "engine/base/rng.h"
#include "selfplay/data/game_record.h"

namespace farrier {

/// FNV-1a over the FEN, then a mixing step a move.
inline std::uint64_t content_hash(const GameRecord& game, std::uint64_t start = 0xCBF29CE484222325ULL) {
  std::uint64_t hash = start;
  for (const char c : game.start_fen) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  for (const Move move : game.moves) hash = mix64(hash + 0x9E3779B97F4A7C15ULL + move.bits());
  return hash;
}

/// 128 bits: among 10^12 games the odds that two differ and are alike in these are below 10^-14, so that nobody need
/// read them again to be sure.
struct ContentId {
  std::uint64_t hash = 0;
  std::uint64_t second_hash = 0;
  friend auto operator<=>(const ContentId&, const ContentId&) = default;
};
inline ContentId content_id(const GameRecord& game) {
  return {content_hash(game), content_hash(game, 0x2545F4914F6CDD1DULL)};
}

}  // namespace farrier
