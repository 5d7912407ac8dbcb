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
    int man_target = PreviousMoves::kNone;  // of the move that led away from this ply
    Score static_eval = kNoEval;
    bool null_move = false;  // this ply passed the turn
  };

  /// Moves of a node that have not made a cutoff.
  struct TriedMoves {
    StaticVector<Move, 64> quiet;
    StaticVector<Move, 64> noisy;
    void add(Move m, bool is_quiet) {
      auto& list = is_quiet ? quiet : noisy;
      if (list.size() < list.kCapacity) list.push_back(m);
    }
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

  // negamax.cpp
  Score negamax(int ply, int depth, Score alpha, Score beta, bool cut_node);
  Score search_move(int ply, int depth, const NodeContext& node, int reduction, bool first);
  NodeContext look_at_node(int ply, int depth, Score alpha, Score beta, bool in_check,
                           const std::optional<TableEntry>& entry);
  Score search_moves(int ply, NodeContext node, const std::optional<TableEntry>& entry);
  std::optional<Score> prune_node(int ply, const NodeContext& node);
  Score search_null_move(int ply, const NodeContext& node);
  MoveContext look_at(int ply, Move move, int number, const CheckSquares& checks) const;
  bool prunes_move(const NodeContext& node, const Board& board, Move move, const MoveContext& facts,
                   MovePicker<R>& picker) const;

  // quiescence.cpp
  Score quiescence(int ply, int quiescence_ply, Score alpha, Score beta);
  void collect_quiescence_moves(int ply, bool in_check, bool with_checks, MoveOrder& order) const;

  // search_worker.cpp
  /// A draw or a mate by rule that ends the line here, or nothing.
  std::optional<Score> score_by_rule(int ply) const;
  bool repeats(int ply) const;
  Score static_eval(int ply, const std::optional<TableEntry>& entry);
  void learn_cutoff(int ply, int depth, Move best, const TriedMoves& tried);
  void make(int ply, Move move);
  void make_null(int ply);
  void unmake() { keys_.pop_back(); }
  PreviousMoves previous(int ply) const;

  /// Counts a node and looks at the limits; sets the stop flag where one is reached.
  void count_node();
  bool stopped() const { return shared_.stop.load(std::memory_order_relaxed); }

  SharedState& shared_;
  std::atomic<std::uint64_t>& nodes_;
  const SearchParams params_;
  const int first_depth_;  // every second helper is a ply ahead: threads that did the same would add little
  std::unique_ptr<Evaluator> evaluator_;
  std::array<Board, kMaxPly + 2> boards_;
  std::array<Ply, kMaxPly + 2> plies_;
  std::vector<std::uint64_t> keys_;  // of all positions from the game's start to the present node
  std::size_t root_keys_ = 0;        // how many of them the game brought
  Histories histories_;
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
