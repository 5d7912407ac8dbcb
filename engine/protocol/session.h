// One game under analysis in one variant: what a protocol needs of the engine, whatever the variant.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/nnue/net_file.h"
#include "engine/search/limits.h"
#include "engine/search/searcher.h"
#include "engine/variants/variant.h"

namespace farrier {

/// A clock as protocols tell it, in milliseconds; unset where the side has none.
struct Clock {
  std::optional<std::int64_t> time_ms;
  std::int64_t increment_ms = 0;
  int moves_to_go = 0;  // until the next time control; 0 for sudden death
};

class Session {
 public:
  virtual ~Session() = default;

  virtual Variant variant() const = 0;
  /// Sets a position and plays `moves` (UCI text). The reason of a failure names the bad field or move; the
  /// position is then the last legal one.
  virtual Result<bool> set_position(std::string_view fen, const std::vector<std::string>& moves) = 0;
  virtual std::string fen() const = 0;
  virtual Color side_to_move() const = 0;
  virtual Result<Move> parse_move(std::string_view text) const = 0;

  /// Replaces the searcher; only between searches.
  virtual void configure(const SearcherOptions& options) = 0;
  virtual SearchReport search(const SearchLimits& limits,
                              const std::function<void(const SearchReport&)>& on_iteration) = 0;
  virtual void clear() = 0;
  /// Static evaluation, centipawns from the side to move.
  virtual Score evaluate() = 0;
  /// Paths by first move.
  virtual std::vector<std::pair<Move, std::uint64_t>> perft(int depth) const = 0;
};

/// A session at the variant's start position.
std::unique_ptr<Session> make_session(Variant variant);

/// Soft and hard limits for one move on that clock; `overhead_ms` is lost between engine and GUI on every
/// move.
void set_time_limits(SearchLimits& limits, const Clock& clock, std::int64_t overhead_ms);

}  // namespace farrier
