// The engine behind a protocol: its options, the game, and a search on a thread of its own. UCI and XBoard are two
// ways to talk to it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/protocol/options.h"
#include "engine/protocol/session.h"
#include "engine/protocol/strength.h"
#include "engine/search/time_manager.h"

namespace farrier {

/// What the engine tells, on the thread that calls it or on the searching thread.
class EngineListener {
 public:
  virtual ~EngineListener() = default;
  /// One sentence for people.
  virtual void on_message(const std::string& sentence) = 0;
  /// One that the user must see: what he asked for is not done.
  virtual void on_warning(const std::string& sentence) { on_message(sentence); }
  virtual void on_report(const SearchReport& report) = 0;
  /// The root move being searched; not before the search has lasted some seconds.
  virtual void on_root_move(int depth, Move move, int number) = 0;
  /// Once for every `go`. `best` is none where no move is legal; `reply` is a legal answer to ponder on, or none.
  virtual void on_best_move(Move best, Move reply) = 0;
};

/// What `go` asks for; unset means unlimited.
struct GoRequest {
  Clock clock;  // of the side to move
  std::optional<std::int64_t> move_time_ms;
  std::optional<std::int64_t> nodes, depth, mate;  // any number: the engine clamps
  std::vector<Move> search_moves;                  // empty: all
  bool infinite = false;                           // no best move before `stop`
  bool ponder = false;                             // none before `stop` or `ponder_hit`
};

/// Used by one thread, the protocol's.
class Engine {
 public:
  explicit Engine(EngineListener& listener);
  ~Engine();

  OptionList& options() { return options_; }
  /// Starts afresh in that variant, at its start position.
  void set_variant(Variant variant);
  /// Makes what the options ask for (hash, threads, net); late, so that several options cost it once.
  void prepare();
  /// Another game begins: forgets what was learnt.
  void new_game();

  /// The game; change it only while no search runs.
  Session& session() { return *session_; }

  /// Starts a search of the session's position; an earlier one is stopped first.
  void go(const GoRequest& request);
  /// Counts paths in the background, told line by line; `stop` ends it.
  void go_perft(int depth, std::function<void(const std::string&)> on_line);
  bool is_counting() const { return counting_; }
  /// Ends the search; its best move has been told when this returns.
  void stop();
  /// The opponent played the expected move: the clock runs now.
  void ponder_hit();
  /// Whether a search runs or waits for `stop`.
  bool is_searching() const { return searching_; }
  /// Waits until a search that ends by itself has told its best move.
  void wait();

  /// The present search has so little time that every wake-up of the GUI counts.
  bool is_in_a_hurry() const { return hurries_; }

  Variant variant() const { return session_->variant(); }
  bool shows_wdl() const { return shows_wdl_; }

 private:
  void add_options();
  std::shared_ptr<const Net> choose_net();
  /// The strength that the options ask for; none for full strength.
  std::optional<Strength> limited_strength() const;
  SearchLimits limits_of(const GoRequest& request) const;
  /// Runs `work` on the searching thread, as what `stop` and `wait` are about.
  void run_in_background(std::function<void()> work);
  void search(const SearchLimits& limits, bool waits_for_stop);

  EngineListener& listener_;
  OptionList options_;
  std::unique_ptr<Session> session_;
  bool stale_ = true;  // the searcher does not match the options yet

  std::int64_t hash_mib_ = 16, threads_ = 1, multi_pv_ = 1, overhead_ms_ = 10;
  std::string eval_file_;
  bool shows_wdl_ = false, analyses_ = false, limits_strength_ = false;
  std::int64_t elo_ = kMostElo;
  const std::uint64_t noise_seed_;  // of limited strength: such a player should not repeat his games

  std::thread thread_;
  std::optional<SearchControl> control_;  // of the present search
  std::mutex mutex_;                      // for changes of the control that the searching thread waits for
  std::condition_variable changed_;
  std::atomic<bool> searching_{false};
  bool hurries_ = false;   // set between searches
  bool counting_ = false;  // the last thing begun was a count of paths
};

}  // namespace farrier
