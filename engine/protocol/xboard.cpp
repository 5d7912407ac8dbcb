#include "engine/protocol/xboard.h"

#include <algorithm>
#include <array>
#include <functional>
#include <istream>
#include <map>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/protocol/xboard_inbox.h"
#include "engine/protocol/xboard_player.h"
#include "engine/protocol/xboard_text.h"

namespace farrier {
namespace {

constexpr std::int64_t kMaxCentiseconds = 100'000'000'000;
/// What the program needs beside the hash table: nets, histories, code.
constexpr std::int64_t kMiBBesideHash = 8;

/// Turns lines into calls of the player, and the player's words into lines.
class XboardConversation {
 public:
  explicit XboardConversation(std::ostream& out)
      : out_(out), player_(inbox_, [this](const std::string& line) { say(line); }) {}

  void run(std::istream& in) {
    std::thread reader([this, &in] {
      for (std::string line; std::getline(in, line);) {
        const bool quits = split_line(line).command == "quit";
        inbox_.put(std::move(line));
        if (quits) break;  // else it would wait for a line that nobody sends
      }
      inbox_.close();
    });
    while (handle_next()) {
      if (!player_.is_thinking())
        for (const std::string& line : std::exchange(deferred_, {})) handle(line);
    }
    player_.halt();
    reader.join();
  }

 private:
  using Handler = void (XboardConversation::*)(const std::string& arguments);

  void say(const std::string& line) {
    const std::lock_guard lock(out_mutex_);
    out_ << line << std::endl;
  }
  /// The line under work can't be done; `reason` in few words, nothing where it was done.
  void complain(const std::string& reason) {
    if (!reason.empty()) say("Error (" + on_one_line(reason) + "): " + on_one_line(line_));
  }

  /// Waits for a line or a best move and does what it asks for; false at the end.
  bool handle_next() {
    inbox_.wait();
    if (const auto line = inbox_.take_line()) {
      if (split_line(*line).command == "quit") return false;
      handle(*line);
    } else if (inbox_.at_end()) {
      return false;
    } else if (const auto best = inbox_.take_best(); best && player_.is_thinking()) {
      player_.make_own_move(*best);
    }
    return true;
  }

  void handle(const std::string& text) {
    const XboardLine line = split_line(text);
    if (line.command.empty()) return;
    // These would disturb the search for a move. They wait for its end, and a ping waits behind them.
    static constexpr std::array kWaits{"ping", "memory", "cores", "option"};
    if (player_.is_thinking() && std::find(kWaits.begin(), kWaits.end(), line.command) != kWaits.end())
      return deferred_.push_back(text);

    line_ = text;
    const auto found = handlers().find(line.command);
    if (found != handlers().end())
      (this->*found->second)(line.arguments);
    else if (looks_like_move(line.command))
      user_move(line.command);
    else
      complain("unknown command");
  }

  static const std::map<std::string, Handler, std::less<>>& handlers() {
    using C = XboardConversation;
    static const std::map<std::string, Handler, std::less<>> table{
        {"protover", &C::introduce},
        {"rejected", &C::note_rejected},
        {"new", &C::new_game},
        {"variant", &C::choose_variant},
        {"setboard", &C::set_board},
        {"usermove", &C::user_move},
        {"undo", &C::undo},
        {"remove", &C::remove},
        {"force", &C::force},
        {"result", &C::force},  // nothing is learnt from it
        {"go", &C::go},
        {"playother", &C::play_other},
        {"analyze", &C::analyze},
        {"exit", &C::leave_analysis},
        {"?", &C::move_now},
        {".", &C::show_status},
        {"hint", &C::hint},
        {"bk", &C::show_book},
        {"draw", &C::consider_draw},
        {"level", &C::set_level},
        {"st", &C::set_move_time},
        {"sd", &C::set_depth},
        {"time", &C::tell_time},
        {"post", &C::post},
        {"nopost", &C::no_post},
        {"hard", &C::hard},
        {"easy", &C::easy},
        {"ping", &C::pong},
        {"memory", &C::set_memory},
        {"cores", &C::set_cores},
        {"option", &C::set_option},
        // For engines that learn, greet or vary; `white` and `black` are of the protocol's first version.
        {"xboard", &C::ignore},
        {"accepted", &C::ignore},
        {"otim", &C::ignore},
        {"random", &C::ignore},
        {"computer", &C::ignore},
        {"name", &C::ignore},
        {"rating", &C::ignore},
        {"ics", &C::ignore},
        {"white", &C::ignore},
        {"black", &C::ignore},
    };
    return table;
  }

  void ignore(const std::string&) {}

  void introduce(const std::string&) {
    for (const std::string& line : feature_lines(player_.options())) say(line);
  }
  void note_rejected(const std::string& feature) {
    if (feature == "debug") player_.show_messages(false);
  }

  void new_game(const std::string&) { player_.new_game(); }
  void choose_variant(const std::string& name) {
    const auto variant = variant_from_xboard_name(name);
    if (!variant) return complain("unsupported variant");
    if (const std::string setup = setup_line(*variant); !setup.empty()) say(setup);
    player_.choose_variant(*variant);
  }
  void set_board(const std::string& fen) {
    if (const std::string fault = player_.set_board(fen); !fault.empty())
      say("tellusererror Illegal position: " + on_one_line(fault));
  }
  void user_move(const std::string& text) {
    if (const std::string fault = player_.user_move(text); !fault.empty())
      say("Illegal move (" + on_one_line(fault) + "): " + on_one_line(text));
  }
  void undo(const std::string&) { complain(player_.undo()); }
  void remove(const std::string&) { complain(player_.remove()); }

  void force(const std::string&) { player_.force(); }
  void go(const std::string&) { complain(player_.go()); }
  void play_other(const std::string&) { player_.play_other(); }
  void analyze(const std::string&) { player_.analyze(); }
  void leave_analysis(const std::string&) { player_.leave_analysis(); }

  void move_now(const std::string&) { player_.move_now(); }
  void show_status(const std::string&) { player_.show_status(); }
  void hint(const std::string&) { player_.hint(); }
  void show_book(const std::string&) { say(" There is no book.\n"); }  // ends with an empty line
  void consider_draw(const std::string&) { player_.consider_draw(); }

  void set_level(const std::string& arguments) {
    const auto level = parse_level(arguments);
    if (!level) return complain("no time control");
    player_.set_level(*level);
  }
  void set_move_time(const std::string& arguments) {
    const auto ms = parse_seconds(arguments);
    if (!ms) return complain("no time");
    player_.set_move_time(*ms);
  }
  void set_depth(const std::string& arguments) {
    const auto depth = parse_integer(arguments);
    if (!depth || *depth < 1) return complain("no depth");
    player_.set_depth(*depth);
  }
  void tell_time(const std::string& arguments) {
    const auto centiseconds = parse_integer(arguments);
    if (!centiseconds) return complain("no time");
    player_.tell_time(std::clamp(*centiseconds, -kMaxCentiseconds, kMaxCentiseconds) * 10);
  }

  void post(const std::string&) { player_.show_thinking(true); }
  void no_post(const std::string&) { player_.show_thinking(false); }
  void hard(const std::string&) { player_.ponder_on(true); }
  void easy(const std::string&) { player_.ponder_on(false); }
  void pong(const std::string& number) {
    player_.prepare();
    say("pong " + on_one_line(number));
  }

  void set_memory(const std::string& arguments) {
    const auto mib = parse_integer(arguments);
    if (!mib) return complain("no size");
    const std::int64_t hash = std::max<std::int64_t>(*mib, kMiBBesideHash + 1) - kMiBBesideHash;
    complain(player_.set_option("Hash", std::to_string(hash)));
  }
  void set_cores(const std::string& arguments) {
    const auto cores = parse_integer(arguments);
    if (!cores) return complain("no number");
    complain(player_.set_option("Threads", std::to_string(*cores)));
  }
  void set_option(const std::string& arguments) {
    const auto equals = arguments.find('=');
    const std::string name = arguments.substr(0, equals);
    std::string value = equals == std::string::npos ? "" : arguments.substr(equals + 1);
    const auto& all = player_.options().all();
    const auto option = std::find_if(all.begin(), all.end(), [&](const auto& o) { return o.name == name; });
    if (option != all.end() && option->kind == EngineOption::Kind::Check && (value == "0" || value == "1"))
      value = value == "1" ? "true" : "false";
    complain(player_.set_option(name, value));
  }

  std::ostream& out_;
  std::mutex out_mutex_;
  XboardInbox inbox_;
  XboardPlayer player_;
  std::string line_;                   // the one under work, as it came
  std::vector<std::string> deferred_;  // until the own move is made
};

}  // namespace

void run_xboard(std::istream& in, std::ostream& out) { XboardConversation(out).run(in); }

}  // namespace farrier
