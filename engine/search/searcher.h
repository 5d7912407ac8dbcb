// A search as one plain object: no globals, so that games run in parallel, each with its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/chess/outcome.h"
#include "engine/nnue/evaluator.h"
#include "engine/nnue/net_file.h"
#include "engine/search/limits.h"
#include "engine/search/score.h"
#include "engine/search/search_params.h"

namespace farrier {

/// What a search reports after every finished iteration, for each of its best moves, and returns at its end.
struct SearchReport {
  Move best_move;          // none if there is no legal move
  Score score_cp_stm = 0;  // centipawns or mate, from the side to move; exact
  int multi_pv = 1;        // 1 for the best move, 2 for the second, ...
  int depth = 0;           // the iteration that found the line
  int selective_depth = 0;
  std::uint64_t nodes = 0;  // over all threads
  std::int64_t elapsed_ms = 0;
  int hash_permille = 0;
  std::vector<Move> pv;  // legal line, best_move first
};

/// Who is told how the search goes, on the searching thread; any part may be empty.
struct SearchListener {
  std::function<void(const SearchReport&)> on_report;
  /// The root move that is being searched, and its number from 1.
  std::function<void(int depth, Move move, int number)> on_root_move;
};

struct SearcherOptions {
  std::size_t hash_mib = 16;
  int threads = 1;
  /// Shared by all searchers that play with it; null plays by material.
  std::shared_ptr<const Net> net;
  /// Material alone leaves most moves equal, and the search would play the first; with noise it prefers the side
  /// that has more choice (Beal and Smith 1994): for the self-play of a first generation. Much noise makes a net
  /// play weaker: see engine/protocol/strength.h.
  EvaluationNoise noise;
  SearchParams params;
};

/// With one thread and without time limits a search repeats to the node, from a cleared state.
template <VariantRules R>
class Searcher {
 public:
  explicit Searcher(SearcherOptions options);
  ~Searcher();

  /// Searches the game's present position; blocks until a limit is reached.
  SearchReport search(const Game<R>& game, const SearchLimits& limits, const SearchListener& listener = {});
  /// The reply that the table holds to a move of that position; none if it holds none.
  Move expected_reply(const Board& board, Move move) const;
  /// Forgets all that earlier searches learnt (hash table, histories).
  void clear();
  /// The static evaluation, centipawns from the side to move.
  Score evaluate(const Board& board);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace farrier
