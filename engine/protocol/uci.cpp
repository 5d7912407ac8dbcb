#include "engine/protocol/uci.h"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <mutex>
#include <sstream>

#include "engine/base/number.h"
#include "engine/base/quoted.h"
#include "engine/base/version.h"
#include "engine/chess/notation.h"
#include "engine/protocol/engine.h"
#include "engine/protocol/xboard.h"
#include "engine/protocol/xboard_text.h"
#include "engine/search/wdl.h"

namespace farrier {
namespace {

class UciProtocol final : public EngineListener {
 public:
  explicit UciProtocol(std::ostream& out) : out_(out), engine_(*this) {}

  /// Returns false on `quit`.
  bool handle(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "quit") return false;
    if (command == "uci")
      identify();
    else if (command == "isready")
      become_ready();
    else if (command == "setoption")
      set_option(words);
    else if (command == "ucinewgame")
      engine_.new_game();
    else if (command == "position")
      set_position(words);
    else if (command == "go")
      go(words);
    else if (command == "stop")
      engine_.stop();
    else if (command == "ponderhit")
      engine_.ponder_hit();
    else if (command == "d")
      say(engine_.session().fen());
    else if (command == "eval")
      show_evaluation();
    else if (!command.empty() && command != "debug" && command != "register")
      on_message("unknown command " + farrier::quoted(command));
    return true;
  }

  /// Means `quit`, but a script that only counts wants its count.
  void end_of_input() {
    if (engine_.is_counting()) engine_.wait();
  }

  void on_message(const std::string& sentence) override { say("info string " + sentence); }
  /// In a hurry the lines go out together with the best move: each by itself would wake the GUI, on a core that the
  /// search needs.
  void on_report(const SearchReport& report) override {
    const std::lock_guard lock(out_mutex_);
    out_ << info_line(report) << '\n';
    if (!engine_.is_in_a_hurry()) out_.flush();
  }
  void on_root_move(int depth, Move move, int number) override {
    say("info depth " + std::to_string(depth) + " currmove " + to_uci(move) + " currmovenumber " +
        std::to_string(number));
  }
  void on_best_move(Move best, Move reply) override {
    if (best.is_none()) {
      const auto outcome = engine_.session().outcome();
      const bool mated = outcome && outcome->termination == Termination::Checkmate;
      say(std::string("info depth 0 score ") + (mated ? "mate 0" : "cp 0"));
    }
    say("bestmove " + to_uci(best) + (reply.is_none() ? "" : " ponder " + to_uci(reply)));
  }

 private:
  void say(const std::string& line) {
    const std::lock_guard lock(out_mutex_);
    out_ << line << std::endl;
  }

  void identify() {
    say("id name Farrier " + std::string(program_version()) + "\nid author the Farrier authors\n");
    for (const EngineOption& option : engine_.options().all()) say(option_line(option));
    say("uciok");
  }

  static std::string option_line(const EngineOption& option) {
    const std::string line = "option name " + option.name + " type ";
    const std::string preset = option.default_text.empty() ? "<empty>" : option.default_text;
    switch (option.kind) {
      case EngineOption::Kind::Spin:
        return line + "spin default " + preset + " min " + std::to_string(option.least) + " max " +
               std::to_string(option.most);
      case EngineOption::Kind::Check:
        return line + "check default " + preset;
      case EngineOption::Kind::Combo: {
        std::string choices;
        for (const std::string& choice : option.choices) choices += " var " + choice;
        return line + "combo default " + preset + choices;
      }
      case EngineOption::Kind::String:
        return line + "string default " + preset;
      case EngineOption::Kind::Button:
        break;
    }
    return line + "button";
  }

  /// Answers also while a search runs: what the options ask for is then made before the next one.
  void become_ready() {
    if (!engine_.is_searching()) engine_.prepare();
    say("readyok");
  }

  void set_option(std::istringstream& words) {
    std::string word, name, value;
    words >> word;
    if (word != "name") return on_message("setoption needs a name: setoption name Hash value 64");
    while (words >> word && word != "value") name += (name.empty() ? "" : " ") + word;
    std::getline(words >> std::ws, value);  // as it stands: a file's name may hold several blanks
    while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back()))) value.pop_back();
    engine_.stop();
    if (const std::string fault = engine_.options().set(name, value); !fault.empty()) on_message(fault);
  }

  void set_position(std::istringstream& words) {
    engine_.stop();
    std::string word;
    std::string fen;
    words >> word;
    if (word == "startpos") {
      fen = start_fen(engine_.session().variant());
      words >> word;
      if (words && word != "moves")
        return on_message("position startpos is followed by moves, not by '" + word +
                          "'; the position stays");
    } else if (word == "fen") {
      while (words >> word && word != "moves") fen += (fen.empty() ? "" : " ") + word;
    } else {
      return on_message("position needs startpos or fen; the position stays");
    }
    std::vector<std::string> moves;
    while (words >> word) moves.push_back(word);
    if (const auto done = engine_.session().set_position(fen, moves); !done) on_message(done.reason());
  }

  /// Words that are unknown are skipped, as the protocol asks.
  void go(std::istringstream& words) {
    engine_.stop();
    std::array<Clock, kColorCount> clocks;
    GoRequest request;
    std::int64_t moves_to_go = 0;
    for (std::string word; words >> word;) {
      const auto number = [&]() -> std::optional<std::int64_t> {
        std::string text;
        words >> text;
        auto value = to_number(text);
        if (!value) value = to_number(text.substr(0, text.find('.')));  // some send fractions of milliseconds
        if (!value)
          on_message("go " + word + " needs a number, not " + farrier::quoted(text) + "; it is ignored");
        return value;
      };
      if (word == "perft") return go_perft(number());
      if (word == "wtime")
        clocks[0].time_ms = number();
      else if (word == "btime")
        clocks[1].time_ms = number();
      else if (word == "winc")
        clocks[0].increment_ms = number().value_or(0);
      else if (word == "binc")
        clocks[1].increment_ms = number().value_or(0);
      else if (word == "movestogo")
        moves_to_go = number().value_or(0);
      else if (word == "movetime")
        request.move_time_ms = number();
      else if (word == "nodes")
        request.nodes = number();
      else if (word == "depth")
        request.depth = number();
      else if (word == "mate")
        request.mate = number();
      else if (word == "searchmoves")
        read_search_moves(words, request);
      else if (word == "infinite")
        request.infinite = true;
      else if (word == "ponder")
        request.ponder = true;
    }
    request.clock = own_clock(clocks, moves_to_go);
    tell_of_draw();
    engine_.go(request);
  }

  /// Some sites play on until a draw is claimed, and then need a move.
  void tell_of_draw() {
    const auto outcome = engine_.session().outcome();
    if (outcome && outcome->result_white == 0 && !engine_.session().legal_moves().empty())
      on_message("the game is drawn (" + std::string(termination_name(outcome->termination)) +
                 "); a move is searched all the same");
  }

  Clock own_clock(const std::array<Clock, kColorCount>& clocks, std::int64_t moves_to_go) {
    const Color us = engine_.session().side_to_move();
    Clock clock = clocks[index(us)];
    // A GUI that tells the other side's time alone, or the increment alone, still means a clock.
    if (!clock.time_ms) clock.time_ms = clocks[index(~us)].time_ms;
    if (!clock.time_ms && clock.increment_ms > 0) clock.time_ms = clock.increment_ms;
    clock.moves_to_go = static_cast<int>(std::clamp<std::int64_t>(moves_to_go, 0, 1000));
    return clock;
  }

  /// Reads moves up to the first word that is none.
  void read_search_moves(std::istringstream& words, GoRequest& request) {
    std::streampos before = words.tellg();
    for (std::string word; words >> word; before = words.tellg()) {
      const Result<Move> move = engine_.session().parse_move(word);
      if (!move) {
        if (request.search_moves.empty())
          on_message("searchmoves: " + move.reason() + "; all moves are searched");
        words.clear();
        words.seekg(before);
        return;
      }
      request.search_moves.push_back(*move);
    }
  }

  void go_perft(std::optional<std::int64_t> depth) {
    if (!depth || *depth < 1 || *depth > 20) return on_message("go perft needs a depth from 1 to 20");
    engine_.go_perft(static_cast<int>(*depth), [this](const std::string& line) { say(line); });
  }

  std::string info_line(const SearchReport& r) const {
    std::ostringstream line;
    line << "info depth " << r.depth << " seldepth " << r.selective_depth << " multipv " << r.multi_pv
         << " score ";
    if (is_mate_score(r.score_cp_stm))
      line << "mate " << moves_to_mate(r.score_cp_stm);
    else
      line << "cp " << r.score_cp_stm;
    if (engine_.shows_wdl()) {
      const Wdl wdl = wdl_of(engine_.variant(), r.score_cp_stm);
      line << " wdl " << wdl.win << ' ' << wdl.draw << ' ' << wdl.loss;
    }
    const std::uint64_t per_second =
        r.nodes * 1000 / static_cast<std::uint64_t>(std::max<std::int64_t>(r.elapsed_ms, 1));
    line << " nodes " << r.nodes << " nps " << per_second << " hashfull " << r.hash_permille << " time "
         << r.elapsed_ms << " pv";
    for (Move m : r.pv) line << ' ' << to_uci(m);
    return line.str();
  }

  void show_evaluation() {
    engine_.stop();
    engine_.prepare();
    say("evaluation: " + std::to_string(engine_.session().evaluate()) + " cp from the side to move");
  }

  std::ostream& out_;
  std::mutex out_mutex_;
  Engine engine_;  // last: its search must end before what it talks through
};

}  // namespace

void run_uci(std::istream& in, std::ostream& out) {
  UciProtocol protocol(out);
  bool is_first = true;
  for (std::string line; out && std::getline(in, line); is_first = false) {
    if (is_first && split_line(line).command == "xboard") return run_xboard(in, out);
    if (!protocol.handle(line)) return;
  }
  protocol.end_of_input();
}

}  // namespace farrier
