#include "trainer/dataset.h"

#include <fmt/core.h>

#include "engine/base/error.h"

namespace farrier {

Dataset::Dataset(Variant variant, const std::vector<DataSource>& sources, const PositionFilters& filters,
                 double validation_share, const std::filesystem::path& scratch, std::size_t most_bytes)
    : mix_(variant, sources),
      kept_(std::make_shared<KeptPositions>(filters, GameSplit{validation_share}, most_bytes, scratch)),
      inspection_(inspect_data(mix_, *kept_, 0, [this](int score_cp_stm, int result_stm) {
        histogram_.add(score_cp_stm, result_stm);
      })) {}

std::int64_t Dataset::positions(DataPart part) const {
  switch (part) {
    case DataPart::Training:
      return inspection_.training_positions;
    case DataPart::Validation:
      return inspection_.validation_positions;
    case DataPart::All:
      break;
  }
  return inspection_.filtered.kept;
}

void Dataset::require_positions() const {
  if (filtered().kept == 0)
    throw UserError(
        mix_.origin(),
        fmt::format("no position is left to learn from ({}); loosen [train.filters] or give more data",
                    filtered().to_text()));
  for (DataPart which : {DataPart::Training, DataPart::Validation}) {
    if (positions(which) > 0) continue;
    throw UserError(mix_.origin(),
                    fmt::format("{} games are too few to be split: none for {}; give more data or change "
                                "train.validation_share",
                                games(), which == DataPart::Training ? "training" : "validation"));
  }
}

std::string Dataset::kept_text() const {
  constexpr double kMegabyte = 1 << 20;
  const auto in_file = static_cast<double>(kept_->bytes_in_file());
  std::string text =
      fmt::format("{:.0f} MB in memory", static_cast<double>(kept_->bytes_in_memory()) / kMegabyte);
  if (in_file > 0) text += fmt::format(", {:.0f} MB in a file", in_file / kMegabyte);
  if (!kept_->has_all()) text += ", the rest is made again from the games in every epoch";
  return text;
}

PassSettings Dataset::completed(DataPart part, PassSettings pass) const {
  pass.filters = kept_->filters();
  pass.split = kept_->split();
  pass.kept = kept_.get();
  pass.part = part;
  return pass;
}

void Dataset::stream(DataPart part, PassSettings pass, const TakePosition& take,
                     const PassHooks& hooks) const {
  stream_positions(mix_, completed(part, pass), take, hooks);
}

void Dataset::trace(DataPart part, PassSettings pass,
                    const std::function<bool(const TracedPosition&)>& take) const {
  trace_positions(mix_, completed(part, pass), take);
}

}  // namespace farrier
