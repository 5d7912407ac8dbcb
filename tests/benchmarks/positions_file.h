// Encoded positions as one plain binary file that NumPy reads too; positions_file.py tells the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "trainer/sparse_batch.h"

namespace farrier {

inline constexpr std::string_view kPositionsMagic = "FARPOS01";

struct PositionsFile {
  std::int64_t inputs = 0;
  SparseBatch positions;
  std::vector<std::uint8_t> validation;
};

/// Reads `path`. Throws UserError.
inline PositionsFile read_positions(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string magic(kPositionsMagic.size(), '\0');
  std::int64_t sizes[3] = {};
  file.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  file.read(reinterpret_cast<char*>(sizes), sizeof sizes);
  if (!file || magic != kPositionsMagic) throw UserError(path.string(), "holds no encoded positions");
  PositionsFile out;
  out.inputs = sizes[0];
  const auto read = [&](auto& values, std::int64_t count) {
    values.resize(static_cast<std::size_t>(count));
    file.read(reinterpret_cast<char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof values[0]));
  };
  read(out.positions.offsets, 2 * sizes[1] + 1);
  read(out.positions.indices, sizes[2]);
  read(out.positions.score_cp_stm, sizes[1]);
  read(out.positions.result_stm, sizes[1]);
  read(out.validation, sizes[1]);
  if (!file) throw UserError(path.string(), "is cut");
  return out;
}

/// Writes `file`. Throws UserError.
inline void write_positions(const std::filesystem::path& path, const PositionsFile& out) {
  std::ofstream file(path, std::ios::binary);
  const auto write = [&](const auto& values) {
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof values[0]));
  };
  const std::vector<std::int64_t> sizes{out.inputs, static_cast<std::int64_t>(out.positions.size()),
                                        static_cast<std::int64_t>(out.positions.indices.size())};
  write(kPositionsMagic);
  write(sizes);
  write(out.positions.offsets);
  write(out.positions.indices);
  write(out.positions.score_cp_stm);
  write(out.positions.result_stm);
  write(out.validation);
  file.close();
  if (!file) throw UserError(path.string(), "cannot be written");
}

}  // namespace farrier
