#include "engine/protocol/xboard_player.h"

#include <algorithm>
#include <utility>

#include "engine/chess/notation.h"
#include "engine/protocol/xboard_text.h"

namespace farrier {
namespace {

/// A draw is taken where the last search saw us worse than this.
constexpr Score kAcceptsDrawBelowCp = -10;
/// What finding a hint may cost: some hundredths of a second.
constexpr std::int64_t kHintNodes = 20'000;

}  // namespace

XboardPlayer::XboardPlayer(XboardInbox& inbox, Say say)
    : inbox_(inbox), say_(std::move(say)), engine_(*this) {
  reset_game(Variant::Chess);
}

// What the engine tells; all but the last may come from the searching thread while the other one talks.

void XboardPlayer::on_message(const std::string& sentence) {
  if (shows_messages_) say_("# " + sentence);
}

void XboardPlayer::on_report(const SearchReport& report) {
  if (report.multi_pv == 1) {
    const std::lock_guard lock(report_mutex_);
    report_ = report;
  }
  if (shows_thinking_ && !finds_hint_) say_(thinking_line(report));
}

void XboardPlayer::on_root_move(int, Move move, int number) {
  const std::lock_guard lock(report_mutex_);
  root_move_ = move;
  root_number_ = number;
}

void XboardPlayer::on_best_move(Move best, Move reply) { inbox_.put(BestMove{best, reply}); }

// The game.

void XboardPlayer::reset_game(Variant variant) {
  if (session().variant() != variant) engine_.set_variant(variant);
  place(std::string(start_fen(variant)));
}

std::string XboardPlayer::place(const std::string& fen) {
  const Result<bool> placed = session().set_position(fen, {});
  is_refused_ = !placed;
  plies_ = level_plies_ = 0;
  first_to_move_ = session().side_to_move();
  expected_ = Move();
  return placed ? "" : placed.reason();
}

void XboardPlayer::play(Move move) {
  session().play(move);
  ++plies_;
  expected_ = Move();
}

bool XboardPlayer::take_back() {
  if (!session().take_back()) return false;
  --plies_;
  expected_ = Move();
  return true;
}

int XboardPlayer::moves_made() const {
  const int lead = engine_color_ == first_to_move_ ? 1 : 0;
  return std::max((plies_ + lead) / 2 - (level_plies_ + lead) / 2, 0);
}

void XboardPlayer::new_game() {
  halt();
  reset_game(Variant::Chess);
  engine_.new_game();
  clock_.reset();
  depth_limit_.reset();
  last_score_.reset();
  engine_color_ = Color::Black;
  if (role_ != Role::Analyses) role_ = Role::Plays;
  resume();
}

void XboardPlayer::choose_variant(Variant variant) {
  halt();
  reset_game(variant);
  resume();
}

std::string XboardPlayer::set_board(const std::string& fen) {
  halt();
  const std::string fault = place(fen);
  resume();
  return fault;
}

std::string XboardPlayer::user_move(const std::string& text) {
  if (work_ == Work::Thinks) return "it is not your turn";
  if (work_ == Work::Ponders && text == to_uci(expected_)) {
    work_ = Work::Thinks;
    started_ = SteadyClock::now();
    engine_.ponder_hit();
    return "";
  }
  halt();
  const Result<Move> move = is_refused_ ? Failure{"illegal position"} : session().parse_move(text);
  if (!move) {
    resume();
    return move.reason();
  }
  play(*move);
  if (role_ != Role::Plays)
    resume();
  else if (session().side_to_move() == engine_color_ || session().outcome())
    think();
  return "";
}

std::string XboardPlayer::undo() { return take_back_for_gui(1); }

std::string XboardPlayer::remove() { return take_back_for_gui(2); }

/// What is refused must not disturb a search.
std::string XboardPlayer::take_back_for_gui(int plies) {
  if (plies_known() < plies) return "command not legal now";
  halt();
  for (; plies > 0; --plies) take_back();
  resume();
  return "";
}

// The role.

void XboardPlayer::force() {
  halt();
  role_ = Role::Observes;
}

std::string XboardPlayer::go() {
  halt();
  role_ = Role::Plays;
  engine_color_ = session().side_to_move();
  return think();
}

void XboardPlayer::play_other() {
  halt();
  role_ = Role::Plays;
  engine_color_ = ~session().side_to_move();
  resume();
}

void XboardPlayer::analyze() {
  halt();
  role_ = Role::Analyses;
  resume();
}

void XboardPlayer::leave_analysis() {
  if (role_ == Role::Analyses) force();
}

void XboardPlayer::set_level(const XboardLevel& level) {
  clock_.set_level(level);
  level_plies_ = plies_;
}

// The search.

std::int64_t XboardPlayer::elapsed_ms() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - started_).count();
}

void XboardPlayer::start(Work work, const GoRequest& request) {
  {
    const std::lock_guard lock(report_mutex_);
    report_ = SearchReport();
    root_move_ = Move();
    root_number_ = 0;
  }
  work_ = work;
  started_ = SteadyClock::now();
  engine_.go(request);
}

GoRequest XboardPlayer::request_for_move() const {
  GoRequest request;
  clock_.limit(request, moves_made());
  request.depth = depth_limit_;
  return request;
}

void XboardPlayer::halt() {
  if (work_ == Work::None) return;
  engine_.stop();
  inbox_.take_best();
  if (work_ == Work::Ponders) take_back();
  work_ = Work::None;
}

void XboardPlayer::resume() {
  if (work_ != Work::None || is_refused_) return;
  if (role_ == Role::Analyses)
    analyse();
  else if (role_ == Role::Plays && session().side_to_move() != engine_color_)
    ponder();
}

std::string XboardPlayer::think() {
  if (is_refused_) return "illegal position";
  if (const auto outcome = session().outcome())
    say_(result_line(*outcome));
  else
    start(Work::Thinks, request_for_move());
  return "";
}

void XboardPlayer::move_now() {
  if (work_ != Work::Thinks) return;
  engine_.stop();
  if (const auto found = inbox_.take_best()) make_own_move(*found);
}

void XboardPlayer::make_own_move(const BestMove& found) {
  engine_.stop();  // it has told its move; this waits for its very end
  work_ = Work::None;
  {
    const std::lock_guard lock(report_mutex_);
    last_score_ = report_.score_cp_stm;
  }
  say_("move " + to_uci(found.best));
  play(found.best);
  clock_.spend(elapsed_ms(), moves_made());
  expected_ = found.reply;
  if (const auto outcome = session().outcome())
    say_(result_line(*outcome));
  else
    ponder();
}

/// Thinks on the opponent's time, as if the expected move had been made.
void XboardPlayer::ponder() {
  if (!ponders_ || expected_.is_none()) return;
  const Move expected = expected_;
  play(expected);
  expected_ = expected;
  if (session().outcome()) {
    take_back();
    return;
  }
  if (shows_thinking_) say_("Hint: " + to_uci(expected));
  GoRequest request = request_for_move();
  request.ponder = true;
  start(Work::Ponders, request);
}

void XboardPlayer::ponder_on(bool on) {
  ponders_ = on;
  if (!on && work_ == Work::Ponders) halt();
}

void XboardPlayer::analyse() {
  if (session().legal_moves().empty()) return;
  GoRequest request;
  request.infinite = true;
  start(Work::Analyses, request);
}

void XboardPlayer::show_status() {
  if (work_ != Work::Analyses) return;
  const int moves = static_cast<int>(session().legal_moves().size());
  const std::lock_guard lock(report_mutex_);
  std::string line = "stat01: " + std::to_string(elapsed_ms() / 10) + ' ' + std::to_string(report_.nodes) +
                     ' ' + std::to_string(report_.depth) + ' ' +
                     std::to_string(std::max(moves - root_number_, 0)) + ' ' + std::to_string(moves);
  if (!root_move_.is_none()) line += ' ' + to_uci(root_move_);
  say_(line);
}

void XboardPlayer::hint() {
  Move move = expected_;
  if (work_ == Work::Analyses) {
    const std::lock_guard lock(report_mutex_);
    move = report_.best_move;
  } else if (work_ == Work::None && move.is_none()) {
    move = find_hint();
  }
  if (!move.is_none()) say_("Hint: " + to_uci(move));
}

Move XboardPlayer::find_hint() {
  if (is_refused_ || session().legal_moves().empty()) return Move();
  GoRequest request;
  request.nodes = kHintNodes;
  finds_hint_ = true;
  engine_.go(request);
  engine_.wait();
  engine_.stop();
  finds_hint_ = false;
  const auto found = inbox_.take_best();
  return found ? found->best : Move();
}

void XboardPlayer::consider_draw() {
  if (role_ == Role::Plays && last_score_ && *last_score_ < kAcceptsDrawBelowCp) say_("offer draw");
}

std::string XboardPlayer::set_option(const std::string& name, const std::string& value) {
  const Move expected = expected_;
  halt();
  const std::string fault = engine_.options().set(name, value);
  expected_ = expected;
  resume();
  return fault;
}

void XboardPlayer::prepare() {
  if (work_ == Work::None) engine_.prepare();
}

}  // namespace farrier
