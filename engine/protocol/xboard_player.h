// The engine in XBoard's roles: it watches a game, plays one side of it, or analyses; and what it does meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "engine/protocol/engine.h"
#include "engine/protocol/xboard_clock.h"
#include "engine/protocol/xboard_inbox.h"

namespace farrier {

/// Used by the thread that talks; the searching thread only notes and shows what it finds. A method that can fail
/// returns what is wrong in few words, and an empty text where nothing is.
class XboardPlayer final : public EngineListener {
 public:
  using Say = std::function<void(const std::string&)>;

  /// `say` writes one line, from any thread. Best moves come through the inbox, to be given to `make_own_move`.
  XboardPlayer(XboardInbox& inbox, Say say);

  // The game.
  void new_game();
  void choose_variant(Variant variant);
  std::string set_board(const std::string& fen);
  /// The reason why a move is refused.
  std::string user_move(const std::string& text);
  std::string undo();
  /// Takes back a move of each side.
  std::string remove();

  // The role.
  void force();
  std::string go();
  void play_other();
  void analyze();
  void leave_analysis();

  // Limits of a move.
  void set_level(const XboardLevel& level);
  void set_move_time(std::int64_t ms) { clock_.set_move_time(ms); }
  void set_depth(std::int64_t depth) { depth_limit_ = depth; }
  void tell_time(std::int64_t ms) { clock_.tell(ms); }

  // The search.
  bool is_thinking() const { return work_ == Work::Thinks; }
  void move_now();
  void make_own_move(const BestMove& found);
  /// Ends whatever runs, without a move; the game is then as the GUI knows it.
  void halt();
  void show_thinking(bool shows) { shows_thinking_ = shows; }
  void show_messages(bool shows) { shows_messages_ = shows; }
  void ponder_on(bool on);
  /// How an analysis stands.
  void show_status();
  void hint();
  void consider_draw();

  const OptionList& options() { return engine_.options(); }
  /// Pondering and analysis are suspended for it.
  std::string set_option(const std::string& name, const std::string& value);
  /// What options ask for may take time; better spent now than on the clock.
  void prepare();

  void on_message(const std::string& sentence) override;
  void on_warning(const std::string& sentence) override { say_("telluser " + sentence); }
  void on_report(const SearchReport& report) override;
  void on_root_move(int depth, Move move, int number) override;
  void on_best_move(Move best, Move reply) override;

 private:
  enum class Role { Observes, Plays, Analyses };
  enum class Work { None, Thinks, Ponders, Analyses };
  using SteadyClock = std::chrono::steady_clock;

  Session& session() { return engine_.session(); }
  void reset_game(Variant variant);
  std::string place(const std::string& fen);
  void play(Move move);
  bool take_back();
  std::string take_back_for_gui(int plies);
  /// Plies that the GUI knows of: without the expected one while pondering.
  int plies_known() const { return plies_ - (work_ == Work::Ponders ? 1 : 0); }
  /// Own moves under the present time control.
  int moves_made() const;

  void start(Work work, const GoRequest& request);
  GoRequest request_for_move() const;
  /// Goes on with what the role asks for outside the own turn.
  void resume();
  std::string think();
  void ponder();
  void analyse();
  Move find_hint();
  std::int64_t elapsed_ms() const;

  XboardInbox& inbox_;
  const Say say_;

  Role role_ = Role::Observes;
  Work work_ = Work::None;
  Color engine_color_ = Color::Black;  // when it plays
  Color first_to_move_ = Color::White;
  int plies_ = 0;  // since the position was set, with the expected one while pondering
  int level_plies_ = 0;
  bool is_refused_ = false;  // the position that the GUI shows is none of ours
  Move expected_;            // of the opponent: while pondering, and after the own move
  bool ponders_ = false;
  std::atomic<bool> shows_messages_{true}, shows_thinking_{false}, finds_hint_{false};

  XboardClock clock_;
  SteadyClock::time_point started_;  // the search, or the own clock in it
  std::optional<std::int64_t> depth_limit_;
  std::optional<Score> last_score_;  // from the own side

  std::mutex report_mutex_;  // guards the three below
  SearchReport report_;
  Move root_move_;
  int root_number_ = 0;

  Engine engine_;  // goes first, so that its search tells nothing to what is gone
};

}  // namespace farrier
