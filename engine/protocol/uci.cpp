#include "engine/protocol/uci.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <iostream>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include "engine/base/version.h"
#include "engine/chess/notation.h"
#include "engine/nnue/default_nets.h"
#include "engine/protocol/session.h"

namespace farrier {
namespace {

constexpr std::int64_t kMaxHashMib = 1 << 20;
constexpr std::int64_t kMaxThreads = 256;
constexpr std::int64_t kMaxOverheadMs = 5000;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::optional<std::int64_t> to_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class UciEngine {
 public:
  explicit UciEngine(std::ostream& out) : out_(out), session_(make_session(Variant::Chess)) {}
  ~UciEngine() { stop(); }

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
      new_game();
    else if (command == "position")
      set_position(words);
    else if (command == "go")
      go(words);
    else if (command == "stop")
      stop();
    else if (command == "d")
      say(session_->fen());
    else if (command == "eval")
      show_evaluation();
    else if (!command.empty())
      say("info string unknown command '" + command + "'");
    return true;
  }

 private:
  void say(const std::string& line) {
    const std::lock_guard lock(out_mutex_);
    out_ << line << std::endl;
  }

  void identify() {
    say("id name Farrier " + std::string(program_version()) + "\nid author the Farrier authors\n");
    std::string variants;
    for (Variant v : kAllVariants) variants += " var " + std::string(variant_name(v));
    say("option name UCI_Variant type combo default chess" + variants);
    say("option name Hash type spin default 16 min 1 max " + std::to_string(kMaxHashMib));
    say("option name Threads type spin default 1 min 1 max " + std::to_string(kMaxThreads));
    say("option name Move Overhead type spin default 10 min 0 max " + std::to_string(kMaxOverheadMs));
    say("option name EvalFile type string default <empty>");
    say("option name Clear Hash type button");
    say("uciok");
  }

  void become_ready() {
    prepare();
    say("readyok");
  }

  /// Makes the searcher that the options ask for; done late, so that a GUI's several options cost one.
  void prepare() {
    if (!stale_) return;
    stop();
    SearcherOptions options;
    options.hash_mib = static_cast<std::size_t>(hash_mib_);
    options.threads = static_cast<int>(threads_);
    options.net = choose_net();
    try {
      session_->configure(options);
    } catch (const std::bad_alloc&) {
      say("info string not enough memory for a Hash of " + std::to_string(hash_mib_) +
          " MiB; 16 MiB are used");
      options.hash_mib = 16;
      session_->configure(options);
    }
    stale_ = false;
  }

  /// The net of EvalFile, else the variant's default net, else none; tells which one plays.
  std::shared_ptr<const Net> choose_net() {
    const std::string variant(variant_name(session_->variant()));
    if (eval_file_ == "material") {
      say("info string evaluation: material");
      return nullptr;
    }
    if (!eval_file_.empty()) {
      try {
        auto net = std::make_shared<const Net>(read_net(eval_file_));
        if (net->variant == session_->variant()) {
          say("info string evaluation: " + eval_file_);
          return net;
        }
        say("info string " + eval_file_ + " is a net for " + std::string(variant_name(net->variant)) +
            ", not for " + variant + "; it is not used");
      } catch (const UserError& error) {
        say(std::string("info string ") + error.what());
      }
    }
    const DefaultNet found = default_net(session_->variant());
    say("info string evaluation: " +
        (found.net ? found.name : "material (no default net for " + variant + ")"));
    return found.net;
  }

  void set_option(std::istringstream& words) {
    std::string word;
    std::string name;
    std::string value;
    bool in_value = false;
    words >> word;  // "name"
    while (words >> word) {
      if (!in_value && word == "value") {
        in_value = true;
        continue;
      }
      std::string& part = in_value ? value : name;
      part += (part.empty() ? "" : " ") + word;
    }
    stop();
    const std::string key = lower(name);
    if (key == "uci_variant")
      choose_variant(lower(value));
    else if (key == "hash")
      set_spin(hash_mib_, value, 1, kMaxHashMib);
    else if (key == "threads")
      set_spin(threads_, value, 1, kMaxThreads);
    else if (key == "move overhead")
      set_spin(overhead_ms_, value, 0, kMaxOverheadMs);
    else if (key == "evalfile") {
      eval_file_ = value == "<empty>" ? "" : value;
      stale_ = true;
    } else if (key == "clear hash")
      new_game();
    else
      say("info string no option is named '" + name + "'");
  }

  void set_spin(std::int64_t& target, const std::string& text, std::int64_t least, std::int64_t most) {
    const auto value = to_number(text);
    if (!value)
      return say("info string '" + text + "' is no number; the option stays at " + std::to_string(target));
    target = std::clamp(*value, least, most);
    stale_ = true;
  }

  void choose_variant(const std::string& name) {
    const auto variant = variant_from_name(name);
    if (!variant)
      return say("info string no variant is named '" + name + "'; there are " + std::string(variant_names()));
    session_ = make_session(*variant);
    stale_ = true;
  }

  void new_game() {
    stop();
    if (!stale_) session_->clear();
  }

  void set_position(std::istringstream& words) {
    stop();
    std::string word;
    std::string fen;
    std::vector<std::string> moves;
    words >> word;
    if (word == "startpos") {
      fen = start_fen(session_->variant());
      words >> word;
    } else {
      while (words >> word && word != "moves") fen += (fen.empty() ? "" : " ") + word;
    }
    while (words >> word) moves.push_back(word);
    if (const auto done = session_->set_position(fen, moves); !done) say("info string " + done.reason());
  }

  void go(std::istringstream& words) {
    stop();
    SearchLimits limits;
    std::array<Clock, kColorCount> clocks;
    int moves_to_go = 0;
    bool infinite = false;
    std::string word;
    const auto number = [&] {
      std::string text;
      words >> text;
      return to_number(text);
    };
    while (words >> word) {
      if (word == "perft") return show_perft(number());
      if (word == "wtime")
        clocks[0].time_ms = number();
      else if (word == "btime")
        clocks[1].time_ms = number();
      else if (word == "winc")
        clocks[0].increment_ms = number().value_or(0);
      else if (word == "binc")
        clocks[1].increment_ms = number().value_or(0);
      else if (word == "movestogo")
        moves_to_go = static_cast<int>(number().value_or(0));
      else if (word == "movetime")
        limits.hard_time_ms = number();
      else if (word == "nodes")
        limits.hard_nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(number().value_or(1), 1));
      else if (word == "depth")
        limits.depth = static_cast<int>(std::clamp<std::int64_t>(number().value_or(1), 1, kMaxPly - 1));
      else if (word == "searchmoves")
        read_search_moves(words, limits);
      else if (word == "infinite")
        infinite = true;
    }
    prepare();
    Clock clock = clocks[index(session_->side_to_move())];
    clock.moves_to_go = moves_to_go;
    set_time_limits(limits, clock, overhead_ms_);
    start(limits, infinite);
  }

  /// Reads moves up to the first word that is none.
  void read_search_moves(std::istringstream& words, SearchLimits& limits) {
    std::streampos before = words.tellg();
    for (std::string word; words >> word; before = words.tellg()) {
      const Result<Move> move = session_->parse_move(word);
      if (!move) {
        words.clear();
        words.seekg(before);
        return;
      }
      limits.search_moves.push_back(*move);
    }
  }

  void start(SearchLimits limits, bool wait_for_stop) {
    abort_ = false;
    limits.abort = &abort_;
    thread_ = std::thread([this, limits, wait_for_stop] {
      const SearchReport report =
          session_->search(limits, [this](const SearchReport& r) { say(info_line(r)); });
      if (wait_for_stop) abort_.wait(false);
      say("bestmove " + to_uci(report.best_move));
    });
  }

  void stop() {
    if (!thread_.joinable()) return;
    abort_ = true;
    abort_.notify_all();
    thread_.join();
  }

  static std::string info_line(const SearchReport& r) {
    std::ostringstream line;
    line << "info depth " << r.depth << " seldepth " << r.selective_depth << " score ";
    if (is_mate_score(r.score_cp_stm))
      line << "mate " << moves_to_mate(r.score_cp_stm);
    else
      line << "cp " << r.score_cp_stm;
    const std::uint64_t per_second =
        r.nodes * 1000 / static_cast<std::uint64_t>(std::max<std::int64_t>(r.elapsed_ms, 1));
    line << " nodes " << r.nodes << " nps " << per_second << " hashfull " << r.hash_permille << " time "
         << r.elapsed_ms << " pv";
    for (Move m : r.pv) line << ' ' << to_uci(m);
    return line.str();
  }

  void show_perft(std::optional<std::int64_t> depth) {
    if (!depth || *depth < 1 || *depth > 20) return say("info string 'go perft' needs a depth from 1 to 20");
    std::uint64_t total = 0;
    for (const auto& [move, paths] : session_->perft(static_cast<int>(*depth))) {
      say(to_uci(move) + ": " + std::to_string(paths));
      total += paths;
    }
    say("\nNodes searched: " + std::to_string(total));
  }

  void show_evaluation() {
    stop();
    prepare();
    say("evaluation: " + std::to_string(session_->evaluate()) + " cp from the side to move");
  }

  std::ostream& out_;
  std::mutex out_mutex_;
  std::unique_ptr<Session> session_;
  std::int64_t hash_mib_ = 16;
  std::int64_t threads_ = 1;
  std::int64_t overhead_ms_ = 10;
  std::string eval_file_;
  bool stale_ = true;  // the searcher does not match the options yet

  std::thread thread_;
  std::atomic<bool> abort_{false};
};

}  // namespace

void run_uci(std::istream& in, std::ostream& out) {
  UciEngine engine(out);
  for (std::string line; std::getline(in, line);)
    if (!engine.handle(line)) return;
}

}  // namespace farrier
