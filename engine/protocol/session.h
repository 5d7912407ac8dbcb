// One game under analysis in one variant: what a protocol needs of the engine, whatever the variant.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/chess/outcome.h"
#include "engine/nnue/net_file.h"
#include "engine/search/limits.h"
#include "engine/search/searcher.h"
#include "engine/variants/variant.h"

namespace farrier {

class Session {
 public:
  virtual ~Session() = default;

  virtual Variant variant() const = 0;
  /// Sets a position and plays `moves` (UCI text). The reason of a failure names the bad field or move; the
  /// position is then the last legal one.
  virtual Result<bool> set_position(std::string_view fen, const std::vector<std::string>& moves) = 0;
  virtual std::string fen() const = 0;
  virtual Color side_to_move() const = 0;
  /// The legal move of that text: as UCI writes it, or as SAN.
  virtual Result<Move> parse_move(std::string_view text) const = 0;
  virtual std::vector<Move> legal_moves() const = 0;
  /// Plays a legal move.
  virtual void play(Move move) = 0;
  /// Takes back the last move since the position was set; false if there is none.
  virtual bool take_back() = 0;
  /// The end of the game by the rules, if it is reached.
  virtual std::optional<Outcome> outcome() const = 0;

  /// Replaces the searcher; only between searches.
  virtual void configure(const SearcherOptions& options) = 0;
  virtual SearchReport search(const SearchLimits& limits, const SearchListener& listener) = 0;
  /// A legal reply to `best_move`, to ponder on; none if the search knows none.
  virtual Move expected_reply(const SearchReport& report) const = 0;
  virtual void clear() = 0;
  /// Static evaluation, centipawns from the side to move.
  virtual Score evaluate() = 0;
  /// Calls `on_move` with every first move and its paths; ends early once `control` is stopped. False then.
  virtual bool perft(int depth, const SearchControl& control,
                     const std::function<void(Move, std::uint64_t)>& on_move) const = 0;
};

/// A session at the variant's start position.
std::unique_ptr<Session> make_session(Variant variant);

}  // namespace farrier
