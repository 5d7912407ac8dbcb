// Openings from a file: positions of an EPD book, or the first moves of the games of a PGN.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/variants/variant_rules.h"
#include "selfplay/games/openings.h"

namespace farrier {

enum class BookOrder { Sequential, Random };

struct BookSettings {
  std::filesystem::path file;  // a PGN by its ending, else EPD
  BookOrder order = BookOrder::Sequential;
  int plies = 16;  // of a PGN's games; an EPD's positions are complete
};

/// A book read once and shared by all workers.
class OpeningBook {
 public:
  /// Throws UserError that names file and line of the first opening that can't be played in these rules: no legal
  /// position, no legal move, another variant, a finished game, or the same position as a line before.
  template <VariantRules R>
  static OpeningBook read(const BookSettings& settings);

  std::size_t size() const { return openings_.size(); }
  /// Plies of the longest opening.
  int longest() const;
  /// The opening of pair `index`: in the book's order or in one that `seed` shuffles, over again from the start
  /// (shuffled anew) once all have been played.
  const Opening& opening(std::int64_t index, BookOrder order, std::uint64_t seed) const;

 private:
  std::vector<Opening> openings_;
};

/// One line of an EPD book, its operations as text: "hmvc 0; fmvn 5; ce 12;".
template <VariantRules R>
std::string to_epd(const Board& board, const std::string& operations);

/// The position of such a line, or of a full FEN.
template <VariantRules R>
Result<Board> parse_epd(std::string_view line);

}  // namespace farrier
