// Where converted games and positions go.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/variants/variant_rules.h"
#include "selfplay/convert/convert.h"
#include "selfplay/convert/position_row.h"
#include "selfplay/data/game_record.h"
#include "selfplay/data/shard_info.h"

namespace farrier {

class GameSink {
 public:
  virtual ~GameSink() = default;
  virtual void add(const GameRecord& game, const ShardInfo& origin) = 0;
  virtual void finish() = 0;
};
/// Records or PGN.
std::unique_ptr<GameSink> make_game_sink(const ConvertSettings& settings);

class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Score and result must be known.
  virtual void add(const PositionRow& row, std::uint64_t game) = 0;
  virtual void finish() = 0;
};
/// Text, EPD or a positions file.
template <VariantRules R>
std::unique_ptr<RowSink> make_row_sink(const ConvertSettings& settings);

}  // namespace farrier
