// A trained net as a file that engines load, named by its own hash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "trainer/quantise.h"

namespace farrier {

struct ExportSettings {
  std::filesystem::path source;  // a checkpoint, or the folder of a training or a run
  std::filesystem::path out;     // a file, or a folder: then the net is named <variant>-<12 hex digits>.fnn
  /// Added to the net's notes, over those of the training: "parent", "licence", ...
  std::map<std::string, std::string> notes;
};

struct ExportSummary {
  std::filesystem::path file;
  std::string sha256;
  Variant variant = Variant::Chess;
  Architecture architecture;
  int scale_cp = 0;
  int largest_accumulator = 0;  // that any position can reach
  QuantisationError error;
  std::int64_t proved_positions = 0;  // on which the engine was compared, see engine_proof.h
};

/// The summary's proof as JSON: bounds, positions compared with the engine, rounding error.
std::string proof_json(const ExportSummary& summary);

/// Quantises the best epoch of a training, proves that it cannot overflow and that the engine plays these integers, and
/// writes it. Throws UserError.
ExportSummary export_net(const ExportSettings& settings);

}  // namespace farrier
