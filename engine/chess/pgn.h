// Games as PGN text: written so that other people's programs read them, read as other programs write them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/chess/move.h"
#include "engine/variants/variant.h"

namespace farrier {

struct PgnMove {
  Move move;
  std::vector<int> nags;                 // numeric annotation glyphs, `$1` is 1
  std::optional<std::int64_t> clock_ms;  // left on the mover's clock, from `[%clk 0:01:23.4]`
  std::string comment;                   // the text in braces after it, without the clock
  friend bool operator==(const PgnMove&, const PgnMove&) = default;
};

struct PgnGame {
  Variant variant = Variant::Chess;
  std::string start_fen;  // canonical; the variant's start position where no FEN tag stood
  /// Name and value in the order of the text, without Variant, SetUp, FEN and Result.
  std::vector<std::pair<std::string, std::string>> tags;
  std::vector<PgnMove> moves;
  std::string result = "*";  // "1-0", "0-1", "1/2-1/2" or "*"
  std::string comment;       // before the first move
  friend bool operator==(const PgnGame&, const PgnGame&) = default;

  /// The value of that tag, empty if there is none.
  std::string_view tag(std::string_view name) const;
};

/// The game's text: the seven tags of the roster first, lines of at most 80 characters, a blank line at its end.
std::string to_pgn(const PgnGame& game);

/// Reads a stream game by game; memory holds one game.
class PgnReader {
 public:
  explicit PgnReader(std::istream& in);

  /// The next game; nothing at the end of the stream. A game that can't be read fails with the line, the move and
  /// the reason, and the reader stands at the next one.
  std::optional<Result<PgnGame>> next();

 private:
  std::istream& in_;
  std::int64_t line_ = 0;
};

}  // namespace farrier
