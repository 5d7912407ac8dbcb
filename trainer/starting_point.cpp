#include "trainer/starting_point.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/nnue/net_file.h"
#include "selfplay/data/file_hash.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/quantise.h"

namespace farrier {
namespace {

/// A file's name as checkpoints, which hold JSON, can keep it: bytes that are no UTF-8 are replaced.
std::string utf8_name(const std::filesystem::path& file) {
  using nlohmann::json;
  return json::parse(json(file.filename().string()).dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace

StartingPoint::StartingPoint(const std::filesystem::path& source, bool keep_optimizer)
    : file_(source), keep_optimizer_(keep_optimizer) {
  if (source.extension() == ".fnn") {
    if (keep_optimizer)
      throw UserError(
          source.string(),
          "is a net file, which holds no state of an optimiser; leave out --keep-optimizer, or give the "
          "checkpoint of its training");
    const Net net = read_net(source);
    source_ = {net.variant, net.scale_cp, dequantise(net)};
  } else {
    FoundCheckpoint found = find_checkpoint(source);
    file_ = found.path;
    Checkpoint& c = found.checkpoint;
    source_ = {c.variant, c.scale_cp, std::move(keep_optimizer ? c.net : c.best)};
  }
  sha256_ = sha256_of_file(file_);
}

std::string StartingPoint::text() const {
  return fmt::format("{}, sha256 {}{}", utf8_name(file_), sha256_.substr(0, 12),
                     keep_optimizer_ ? ", with the optimiser's state" : "");
}

FloatNet StartingPoint::net_for(Variant variant, const Architecture& architecture, int scale_cp,
                                std::uint64_t seed) const {
  Result<FloatNet> net = transfer(source_, variant, architecture, scale_cp, seed);
  if (!net) throw UserError(file_.string(), net.reason());
  return std::move(*net);
}

void StartingPoint::require_fit(Variant variant, const Architecture& architecture) const {
  net_for(variant, architecture, source_.scale_cp, 0);
  if (keep_optimizer_ && (source_.variant != variant || source_.net.architecture != architecture))
    throw UserError(
        file_.string(),
        fmt::format("is a {} net of another shape or variant ({}), so that its optimiser's state can't be "
                    "kept; leave out --keep-optimizer",
                    variant_name(source_.variant), describe(source_.net.architecture)));
}

AdamwState StartingPoint::optimizer() const {
  AdamwState state;
  load_checkpoint(file_, &state);
  return state;
}

}  // namespace farrier
