// Writes an expanded positions file for Python users: one HDF5 row a position, nothing to decode (SCHEMA.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/variants/variant.h"

namespace farrier {

/// What a row says besides the board.
struct PositionLabels {
  Move move;  // that was played; none if it is not known
  std::int16_t score_cp_stm = 0;
  std::int8_t result_stm = 0;  // 1, 0 or -1
  std::uint64_t game = 0;      // counted from 0
};

/// The file grows as `path`.tmp and takes its name in finish(); destroyed before, it leaves nothing. Equal rows give
/// equal bytes. Throws UserError.
class PositionsFile {
 public:
  PositionsFile(const std::filesystem::path& path, Variant variant);
  ~PositionsFile();

  void add(const Board& board, const PositionLabels& labels);
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace farrier
