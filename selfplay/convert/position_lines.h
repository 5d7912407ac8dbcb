// Positions as lines: bullet's text `FEN | score | result`, and EPD.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/variants/variant_rules.h"
#include "selfplay/convert/position_row.h"

namespace farrier {

/// `FEN | score | result`: score in centipawns, result 1.0, 0.5 or 0.0, both from White's side. The row has both.
template <VariantRules R>
std::string to_text_line(const PositionRow& row);
template <VariantRules R>
Result<PositionRow> parse_text_line(std::string_view line);

/// `hmvc` and `fmvn` are the FEN's clocks, `bm` the move played in SAN, `ce` the score from the side to move, `c9` the
/// result as `"1-0"`; what is unknown is left out.
template <VariantRules R>
std::string to_epd_line(const PositionRow& row);
template <VariantRules R>
Result<PositionRow> parse_epd_line(std::string_view line);

}  // namespace farrier
