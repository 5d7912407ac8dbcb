// What makes two recorded games the same: start and moves, whatever their labels.
#pragma once

#include <cstdint>

#include "engine/base/rng.h"
#include "selfplay/data/game_record.h"

namespace farrier {

inline std::uint64_t content_hash(const GameRecord& game) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a over the FEN, then a mixing step a move
  for (const char c : game.start_fen) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  for (const Move move : game.moves) hash = mix64(hash + 0x9E3779B97F4A7C15ULL + move.bits());
  return hash;
}

inline bool same_content(const GameRecord& a, const GameRecord& b) {
  return a.start_fen == b.start_fen && a.moves == b.moves;
}

}  // namespace farrier
