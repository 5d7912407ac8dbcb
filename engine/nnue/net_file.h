// The `.fnn` net file: a header that describes itself, the weights, and a checksum. Little-endian.
//
//   bytes 0-7   "FARRIER\n"
//   u32         format version (kNetFormatVersion)
//   u32         n, length of the description
//   n bytes     description: UTF-8 lines "key: value\n": variant, feature_set (its hash), inputs (rows of the first
//               layer), scale_cp, the architecture (architecture_entries), and the notes
//   i16         feature_bias[H], feature_weights[inputs][H]
//   then for each dense layer after the first, the output's the last:
//   i8          weights[output bucket][outputs][inputs]
//   i32         bias[output bucket][outputs]
//   8 bytes     FNV-1a 64 of everything before
//
// Version 1, still read: nets of one output bucket without further layers, whose output weights are i16.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/base/aligned_allocator.h"
#include "engine/base/result.h"
#include "engine/nnue/architecture.h"
#include "engine/variants/variant.h"

namespace farrier {

constexpr std::uint32_t kNetFormatVersion = 2;

using Weights = std::vector<std::int16_t, AlignedAllocator<std::int16_t>>;

/// A layer after the first one, quantised; arithmetic.h tells its units.
struct DenseLayer {
  int inputs = 0;
  int outputs = 0;
  Weights weights;                 // [output bucket][outputs][inputs], within +-kMaxOutputWeight
  std::vector<std::int32_t> bias;  // [output bucket][outputs]

  const std::int16_t* weights_of(int bucket) const {
    return &weights[static_cast<std::size_t>(bucket * outputs * inputs)];
  }
  const std::int32_t* bias_of(int bucket) const { return &bias[static_cast<std::size_t>(bucket * outputs)]; }
};

/// A quantised net: shape and weights.
struct Net {
  Variant variant = Variant::Chess;
  Architecture architecture;
  static constexpr int kLeastScaleCp = 1;
  static constexpr int kMostScaleCp = 10'000;
  int scale_cp = 400;  // centipawns of a logit of 1
  /// Free text about the origin: "parent", "training", "licence", "float_error_cp_mean", ... Keys are
  /// [a-z0-9_]+, values one line each. Shown by `farrier net info`, kept on copy.
  std::map<std::string, std::string> notes;

  Weights feature_bias;            // [H], scaled by QA
  Weights feature_weights;         // [rows][H], scaled by QA; rows as InputMap numbers them
  std::vector<DenseLayer> layers;  // the output's the last
};

/// Reads and proves a net: magic, version, variant, feature set, sizes, checksum, overflow bounds. Throws
/// UserError with one sentence naming file, fault and remedy.
Net read_net(const std::filesystem::path& path);
/// The same from memory; `origin` names the source in errors.
Net parse_net(const std::string& bytes, const std::string& origin);

/// What a file's description tells of the net itself, where it has it; no note may have one of these names.
inline constexpr std::array<std::string_view, 12> kShapeNames{
    "variant",  "feature_set",  "inputs",     "scale_cp", "hidden",        "mirror",
    "promoted", "king_buckets", "activation", "layers",   "board_buckets", "hand_buckets"};
std::string serialise_net(const Net& net);
/// Writes beside, then renames. Throws UserError.
void write_net(const Net& net, const std::filesystem::path& path);

}  // namespace farrier
