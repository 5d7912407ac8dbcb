// The games that a training learns from: proved and counted once, then streamed in every epoch, from where their positions
// are kept: in memory, a file beyond a bound, or the shards themselves, so that memory does not grow with them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "selfplay/loading/data_inspection.h"
#include "selfplay/loading/position_stream.h"
#include "trainer/score_scale.h"

namespace farrier {

class Dataset {
 public:
  /// Opens all shards and replays all games. Positions stay in memory up to `most_bytes`, and beyond that in a file
  /// without a name in `scratch`, if that is not empty. Throws UserError for a bad shard, another variant, or an illegal
  /// move.
  Dataset(Variant variant, const std::vector<DataSource>& sources, const PositionFilters& filters,
          double validation_share, const std::filesystem::path& scratch = {},
          std::size_t most_bytes = KeptPositions::kMostBytes);

  Variant variant() const { return mix_.variant(); }
  std::int64_t games() const { return inspection_.games; }
  const FilterCounts& filtered() const { return inspection_.filtered; }
  /// Kept positions of a part.
  std::int64_t positions(DataPart part) const;
  /// Scores against results of the kept training positions.
  const ScoreHistogram& histogram() const { return histogram_; }
  /// See DataInspection.
  std::uint64_t fingerprint() const { return inspection_.fingerprint; }
  std::uint64_t games_fingerprint() const { return inspection_.games_fingerprint; }
  /// Whether all positions are kept in memory.
  bool in_memory() const { return kept_->has_all() && kept_->bytes_in_file() == 0; }
  /// Where they are kept: "512 MB in memory, 1300 MB in a file".
  std::string kept_text() const;
  /// Throws UserError if either part holds no position, saying what took them.
  void require_positions() const;

  /// Streams a part; `pass` needs neither filters nor split.
  void stream(DataPart part, PassSettings pass, const TakePosition& take, const PassHooks& hooks = {}) const;
  /// The same with every position's origin.
  void trace(DataPart part, PassSettings pass, const std::function<bool(const TracedPosition&)>& take) const;
  /// The file of a traced position's shard.
  const std::filesystem::path& shard(std::uint32_t number) const { return mix_.shards()[number].path; }

 private:
  PassSettings completed(DataPart part, PassSettings pass) const;

  DataMix mix_;
  std::shared_ptr<KeptPositions> kept_;  // of all copies of this set
  ScoreHistogram histogram_;
  DataInspection inspection_;
};

}  // namespace farrier
