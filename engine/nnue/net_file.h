// The `.fnn` net file: a header that describes itself, the weights, and a checksum. Little-endian.
//
//   bytes 0-7   "FARRIER\n"
//   u32         format version (kNetFormatVersion)
//   u32         n, length of the description
//   n bytes     description: UTF-8 lines "key: value\n": variant, feature_set (its hash), inputs, hidden,
//               scale_cp, and the notes
//   i16         feature_bias[H], feature_weights[inputs][H], output_weights[2H]
//   i32         output_bias
//   8 bytes     FNV-1a 64 of everything before
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/base/aligned_allocator.h"
#include "engine/base/result.h"
#include "engine/variants/variant.h"

namespace farrier {

constexpr std::uint32_t kNetFormatVersion = 1;

using Weights = std::vector<std::int16_t, AlignedAllocator<std::int16_t>>;

/// A quantised net: shape and weights as in architecture.h.
struct Net {
  Variant variant = Variant::Chess;
  int hidden = 0;      // H, one of kHiddenWidths
  int scale_cp = 400;  // centipawns of a logit of 1
  /// Free text about the origin: "parent", "training", "licence", "float_error_cp_mean", ... Keys are
  /// [a-z0-9_]+, values one line each. Shown by `farrier net info`, kept on copy.
  std::map<std::string, std::string> notes;

  Weights feature_bias;          // [H], scaled by QA
  Weights feature_weights;       // [inputs][H], row-major, scaled by QA
  Weights output_weights;        // [2H]: side to move, then the other; scaled by QB
  std::int32_t output_bias = 0;  // scaled by QA * QB
};

/// Reads and proves a net: magic, version, variant, feature set, sizes, checksum, overflow bounds. Throws
/// UserError with one sentence naming file, fault and remedy.
Net read_net(const std::filesystem::path& path);
/// The same from memory; `origin` names the source in errors.
Net parse_net(const std::string& bytes, const std::string& origin);

std::string serialise_net(const Net& net);
/// Writes beside, then renames. Throws UserError.
void write_net(const Net& net, const std::filesystem::path& path);

}  // namespace farrier
