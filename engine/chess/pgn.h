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
#include "engine/chess/pgn_lexer.h"
#include "engine/variants/variant.h"

namespace farrier {

struct PgnMove {
  Move move;
  std::vector<int> nags;                 // numeric annotation glyphs, `$1` is 1
  std::optional<std::int64_t> clock_ms;  // left on the mover's clock, from `[%clk 0:01:23.4]`
  std::string comment;  // the text in braces after it, without the clock, words a space apart
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

  /// The value of that tag (of any case), empty if there is none.
  std::string_view tag(std::string_view name) const;
};

/// The game's text: the seven tags of the roster first (`?` where `tags` lacks one), lines below 80 characters
/// unless a single word is longer, a blank line at its end. An empty start FEN is the start position. A `}` in a
/// comment becomes `)`, since PGN can't hold it there. Throws UserError where the start position, a move, a tag's
/// name or the result can't stand in a PGN.
std::string to_pgn(const PgnGame& game);

/// The variant that a Variant tag names, as the programs around write it: "Pocket Knight", "From Position", ...
std::optional<Variant> variant_from_pgn_name(std::string_view name);

/// Reads a stream game by game; memory holds one game, and a game beyond a megabyte fails.
class PgnReader {
 public:
  explicit PgnReader(std::istream& in) : lexer_(in) {}

  /// The next game; nothing at the end of the stream. A game that can't be read fails with the line, the move and
  /// the reason, and the reader stands at the next one. Variations are left out; a missing result token is the end
  /// of the game all the same, and then the Result tag holds.
  std::optional<Result<PgnGame>> next();

 private:
  PgnToken take();

  PgnLexer lexer_;
  std::optional<PgnToken> kept_;  // read ahead: the next game's first tag
};

}  // namespace farrier
