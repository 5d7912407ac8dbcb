// The shard's names, types and sizes in HDF5 terms, shared by writer and reader. Include from .cpp files
// alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "selfplay/data/h5_handle.h"

namespace farrier::h5 {

inline constexpr const char* kFormatName = "farrier game records";
inline constexpr const char* kGamesTable = "/games";
inline constexpr const char* kPliesGroup = "/plies";
inline constexpr const char* kMoveColumn = "/plies/move";
inline constexpr const char* kScoreColumn = "/plies/score_cp_stm";
inline constexpr const char* kMarkColumn = "/plies/mark";  // optional

/// The bits of a mark.
inline constexpr std::uint8_t kExploratoryMark = 1;

/// Longer than any FEN that the rules allow (64 squares, 7 slashes, 16 marks, 34 men, clocks).
inline constexpr std::size_t kFenBytes = 128;
inline constexpr hsize_t kGamesPerChunk = 256;
inline constexpr hsize_t kPliesPerChunk = 131072;

/// A row of the games table as it lies in memory.
struct GameRow {
  std::array<char, kFenBytes> start_fen;
  std::uint64_t first_ply;
  std::uint64_t game_seed;
  std::uint16_t plies;
  std::uint16_t random_plies;
  std::int8_t result_white;
  std::uint8_t termination;
};

/// The row's type: in memory (the struct above, native numbers) or in the file (packed, little-endian).
H5Datatype game_row_type(bool in_file);

}  // namespace farrier::h5
