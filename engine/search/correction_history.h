// How far searches of like positions came out from the static evaluation, and so where the next one will.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/base/rng.h"
#include "engine/chess/board.h"
#include "engine/search/history.h"
#include "engine/search/search_params.h"

namespace farrier {

/// One thread's corrections, by what positions have in common: their pawns; royal men and hands; the last move.
class CorrectionHistory {
 public:
  CorrectionHistory() : pawns_(kColorCount * kSize), hands_(kColorCount * kSize), moves_(kManTargets + 1) {}

  /// Centipawns to add to the evaluation from the side to move. `previous` is the man_target of the last move.
  Score correction(const SearchParams& p, const Board& board, int previous) const {
    const int sum = p.correction_pawns * pawns_[slot(board, pawn_key(board))] +
                    p.correction_hands * hands_[slot(board, hand_key(board))] +
                    p.correction_move * moves_[previous][index(board.side_to_move)];
    return sum / (100 * kUnit);
  }

  /// Learns that a search of that depth came out `error` above the static evaluation.
  void learn(const Board& board, int previous, int depth, Score error) {
    const int weight = std::min(depth + 1, kMaxWeight);
    learn(pawns_[slot(board, pawn_key(board))], error, weight);
    learn(hands_[slot(board, hand_key(board))], error, weight);
    learn(moves_[previous][index(board.side_to_move)], error, weight);
  }

  void clear() {
    std::fill(pawns_.begin(), pawns_.end(), std::int16_t{0});
    std::fill(hands_.begin(), hands_.end(), std::int16_t{0});
    std::fill(moves_.begin(), moves_.end(), std::array<std::int16_t, kColorCount>{});
  }

 private:
  static constexpr std::size_t kSize = 1 << 14;
  static constexpr int kUnit = 64;       // parts of a centipawn
  static constexpr int kMaxError = 256;  // centipawns
  static constexpr int kMaxWeight = 16;  // of 256: the newest search's share

  static std::size_t slot(const Board& board, std::uint64_t key) {
    return static_cast<std::size_t>(index(board.side_to_move)) * kSize + (key & (kSize - 1));
  }
  static std::uint64_t pawn_key(const Board& board) {
    const std::uint64_t white = board.men(Color::White, PieceType::Pawn).bits();
    const std::uint64_t black = board.men(Color::Black, PieceType::Pawn).bits();
    return mix64(white ^ mix64(black));
  }
  static std::uint64_t hand_key(const Board& board) {
    std::uint64_t held = 0;
    for (const auto& hand : board.hands)
      for (const std::uint8_t count : hand) held = held << 5 | count;  // ten counts below 32
    return mix64(held ^ std::uint64_t(index(board.royal(Color::White))) << 52 ^
                 std::uint64_t(index(board.royal(Color::Black))) << 58);
  }
  static void learn(std::int16_t& value, Score error, int weight) {
    const int target = std::clamp(error, -kMaxError, kMaxError) * kUnit;
    value = static_cast<std::int16_t>((value * (256 - weight) + target * weight) / 256);
  }

  std::vector<std::int16_t> pawns_;
  std::vector<std::int16_t> hands_;
  std::vector<std::array<std::int16_t, kColorCount>> moves_;
};

}  // namespace farrier
