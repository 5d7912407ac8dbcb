#include "trainer/export.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/nnue/overflow.h"
#include "selfplay/data/file_hash.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/engine_proof.h"

namespace farrier {

/// What nobody may say of a net but its training, its proof and its shape.
bool is_own(const std::string& note) {
  constexpr std::array<std::string_view, 12> kOwnNotes{"training",
                                                       "validation_loss",
                                                       "generation",
                                                       "seed",
                                                       "device",
                                                       "started_from",
                                                       "float_error_cp_mean",
                                                       "float_error_cp_p99",
                                                       "float_error_cp_worst",
                                                       "float_error_positions",
                                                       "engine_proof_positions",
                                                       "largest_accumulator"};
  const auto holds = [&note](const auto& names) {
    return std::find(names.begin(), names.end(), note) != names.end();
  };
  return holds(kOwnNotes) || holds(kShapeNames);
}

/// Rounding costs a sound net one to three centipawns on average.
constexpr double kFarOffCp = 25;

std::string proof_json(const ExportSummary& s) {
  const nlohmann::ordered_json json = {{"net", s.file.filename().string()},
                                       {"sha256", s.sha256},
                                       {"architecture", describe(s.architecture)},
                                       {"scale_cp", s.scale_cp},
                                       {"largest_accumulator", s.largest_accumulator},
                                       {"engine_proof_positions", s.proved_positions},
                                       {"float_error_cp",
                                        {{"positions", s.error.positions},
                                         {"mean", s.error.mean_cp},
                                         {"p99", s.error.p99_cp},
                                         {"worst", s.error.worst_cp}}}};
  return json.dump(2) + "\n";
}

ExportSummary export_net(const ExportSettings& settings) {
  const auto [source, checkpoint] = find_checkpoint(settings.source);
  if (checkpoint.progress.best_epoch == 0)
    throw UserError(source.string(), "has not finished an epoch yet; train on before the export");
  Result<Net> quantised = quantise(checkpoint.best, checkpoint.variant, checkpoint.scale_cp);
  if (!quantised)
    throw UserError(source.string(),
                    fmt::format("its net cannot be exported: {}; train again with a smaller train.lr or "
                                "a larger train.weight_decay",
                                quantised.reason()));
  Net& net = *quantised;
  ExportSummary s;
  s.error = measure_quantisation(checkpoint.best, net, checkpoint.sample);
  if (s.error.mean_cp > kFarOffCp)
    spdlog::warn(
        "{}: the net's integers are {:.0f} cp off its floats on average: its weights are too large to be "
        "rounded "
        "well; train with a smaller train.lr or a larger train.weight_decay",
        source.string(), s.error.mean_cp);
  s.largest_accumulator = *prove_no_overflow(net);
  s.proved_positions = prove_engine_agrees(net);
  net.notes = checkpoint.notes;
  net.notes["float_error_cp_mean"] = fmt::format("{:.2f}", s.error.mean_cp);
  net.notes["float_error_cp_p99"] = fmt::format("{:.2f}", s.error.p99_cp);
  net.notes["float_error_cp_worst"] = fmt::format("{:.2f}", s.error.worst_cp);
  net.notes["float_error_positions"] = std::to_string(s.error.positions);
  net.notes["engine_proof_positions"] = std::to_string(s.proved_positions);
  net.notes["largest_accumulator"] = std::to_string(s.largest_accumulator);
  for (const auto& [key, value] : settings.notes) {
    if (is_own(key))
      throw WrongCall("--note " + key,
                      "is what the net itself says of its shape, training or proof; choose another name");
    net.notes[key] = value;
  }

  s.variant = net.variant;
  s.architecture = net.architecture;
  s.scale_cp = net.scale_cp;
  s.sha256 = sha256_hex(serialise_net(net));
  s.file = settings.out;
  if (settings.out.extension() != ".fnn") {
    if (std::filesystem::exists(settings.out) && !std::filesystem::is_directory(settings.out))
      throw UserError(settings.out.string(),
                      "is a file, whose name does not end in .fnn; give one that does, or a folder");
    require_folder(settings.out);
    s.file = settings.out / fmt::format("{}-{}.fnn", variant_name(net.variant), s.sha256.substr(0, 12));
  }
  write_net(net, s.file);
  return s;
}

}  // namespace farrier
