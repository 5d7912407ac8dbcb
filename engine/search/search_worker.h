// One searching thread: its line of positions, its histories, and the search itself.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/chess/outcome.h"
#include "engine/nnue/evaluator.h"
#include "engine/search/history.h"
#include "engine/search/move_picker.h"
#include "engine/search/pruning.h"
#include "engine/search/pv.h"
#include "engine/search/reductions.h"
#include "engine/search/searcher.h"
#include "engine/search/shared_state.h"
#include "engine/search/time_manager.h"

namespace farrier {

template <VariantRules R>
class SearchWorker {
 public:
  SearchWorker(SharedState& shared, std::size_t thread, const SearcherOptions& options);

  /// Iterative deepening until a limit is reached. Helpers get an empty listener.
  SearchReport run(const Game<R>& game, const SearchListener& listener);
  Score evaluate(const Board& board);
  /// Forgets histories and killers.
  void clear();

 private:
  /// What a ply of the present line remembers beside its board.
  struct Ply {
    Killers killers{};
    int man_target = QuietHistory::kNoPrevious;  // of the move that led away from this ply
    Score static_eval = kNoEval;
    bool null_move = false;  // this ply passed the turn
  };

  /// One of the best root moves with its line, as the last finished search of it left it.
  struct RootLine {
    Score score = 0;
    int depth = 0;  // 0: not searched yet
    int selective_depth = 0;
    std::vector<Move> pv;
  };

  // iterative_deepening.cpp
  void start(const Game<R>& game);
  bool search_lines(int depth);
  void settle_lines();
  Score search_root(int depth, Score previous);
  bool may_start_iteration(int depth, const MoveStability& stability) const;
  bool found_the_mate() const;
  void keep_root_line(Score score);
  bool is_excluded_at_root(Move move) const;
  SearchReport report(std::size_t line) const;

  // search_worker.cpp
  Score negamax(int ply, int depth, Score alpha, Score beta);
  Score quiescence(int ply, int quiescence_ply, Score alpha, Score beta);

  void collect_quiescence_moves(int ply, bool in_check, bool with_drop_checks, MoveOrder& order) const;

  /// A draw or a mate by rule that ends the line here, or nothing.
  std::optional<Score> score_by_rule(int ply) const;
  bool repeats(int ply) const;
  Score static_eval(int ply, const std::optional<TableEntry>& entry);
  Score search_null_move(int ply, int depth, Score beta);
  bool prunes_move(const NodeContext& node, const Board& board, Move move, bool quiet, int searched,
                   MovePicker<R>& picker) const;
  Score search_move(int ply, int depth, Score alpha, Score beta, int reduction, bool first);
  void reward_quiet(int ply, int depth, Move best, const StaticVector<Move, 64>& failed);
  void make(int ply, Move move);
  void unmake() { keys_.pop_back(); }
  int previous_target(int ply) const;

  /// Counts a node and looks at the limits; sets the stop flag where one is reached.
  void count_node();
  bool stopped() const { return shared_.stop.load(std::memory_order_relaxed); }

  SharedState& shared_;
  std::atomic<std::uint64_t>& nodes_;
  std::unique_ptr<Evaluator> evaluator_;
  std::array<Board, kMaxPly + 2> boards_;
  std::array<Ply, kMaxPly + 2> plies_;
  std::vector<std::uint64_t> keys_;  // of all positions from the game's start to the present node
  std::size_t root_keys_ = 0;        // how many of them the game brought
  QuietHistory history_;
  PvTable pv_;
  ReductionTable reductions_;
  int selective_depth_ = 0;
  int root_depth_ = 0;

  std::vector<RootLine> lines_;     // best first
  std::vector<RootLine> finished_;  // as the last whole iteration left them
  bool has_choice_ = true;          // more than one root move may be played
  std::size_t line_ = 0;            // the one that is being searched: the moves of those before are left out
  const SearchListener* listener_ = nullptr;
};

}  // namespace farrier
