// Openings that are fair enough to learn from, random or from a book: what makes games differ though the search
// repeats itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/chess/board.h"
#include "engine/search/searcher.h"

namespace farrier {

struct Opening;

struct OpeningSettings {
  int random_plies = 8;
  bool one_more_on_a_coin =
      true;                  // a ninth ply in half of the games, so that both sides come to move; not with
                             // a book and no random plies
  Score max_score_cp = 600;  // openings that a short search scores beyond are drawn anew
  std::uint64_t check_nodes = 1000;  // soft limit of that search
  /// Where the random plies begin: one of these, drawn by lot. Null: the variant's start position.
  std::shared_ptr<const std::vector<Opening>> book = nullptr;
};

/// Openings drawn and thrown away, by reason.
struct OpeningRejects {
  std::uint64_t finished = 0;  // the game ended in the opening
  std::uint64_t lopsided = 0;
  std::uint64_t repeated = 0;  // from a book: drawn before for the same game, and thrown away then

  OpeningRejects& operator+=(const OpeningRejects& other) {
    finished += other.finished;
    lopsided += other.lopsided;
    repeated += other.repeated;
    return *this;
  }
};

struct Opening {
  Board start;               // where it begins: the variant's start position, or the book's
  std::vector<Move> moves;   // from there: the book's, then random ones
  OpeningRejects rejects{};  // on the way to this one
  Score score_cp_stm = 0;    // of the position that it leads to, by the short search
};

/// The same counts over all games, readable while they are drawn.
struct LiveRejects {
  std::atomic<std::uint64_t> finished = 0;
  std::atomic<std::uint64_t> lopsided = 0;
  std::atomic<std::uint64_t> repeated = 0;
};

/// The opening of that seed. Clears `searcher` first, so that the result depends on settings, seed and net
/// alone. Throws UserError if no opening is level. Empty if `stop` was set before one was found.
template <VariantRules R>
std::optional<Opening> draw_opening(Searcher<R>& searcher, const OpeningSettings& settings,
                                    std::uint64_t seed, const std::atomic<bool>& stop, LiveRejects& live);

/// The same without being watched.
template <VariantRules R>
Opening make_opening(Searcher<R>& searcher, const OpeningSettings& settings, std::uint64_t seed);

}  // namespace farrier
