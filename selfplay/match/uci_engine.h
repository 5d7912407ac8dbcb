// An engine process that speaks UCI.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/variants/variant.h"
#include "selfplay/match/engine_process.h"
#include "selfplay/match/fault.h"
#include "selfplay/match/uci_messages.h"

namespace farrier {

/// How an engine is started and set up.
struct EngineCommand {
  ChildCommand child;
  std::vector<std::pair<std::string, std::string>> options;  // UCI_Variant is set by us
  bool restart_every_game = false;
  friend bool operator==(const EngineCommand& a, const EngineCommand& b) {
    return a.child.program == b.child.program && a.child.args == b.child.args &&
           a.child.folder == b.child.folder && a.options == b.options &&
           a.restart_every_game == b.restart_every_game;
  }
};

/// The answer to one `go`.
struct UciAnswer {
  std::string best_move;  // in the form of a move, or "(none)" or "0000"
  UciInfo info;
  /// From just before our `go` to the arrival of `bestmove`.
  std::chrono::nanoseconds elapsed{0};
  std::chrono::nanoseconds our_latency{0};  // from that arrival until the referee knew
  std::optional<Fault> fault;
  bool interrupted = false;  // the match was halted
};

class UciEngine {
 public:
  using Halted = std::function<bool()>;

  /// Starts the engine and sets it up for the variant; no answer may take longer than `patience`. Throws
  /// UserError that begins with `name`.
  UciEngine(const std::string& name, const EngineCommand& command, Variant variant,
            std::chrono::milliseconds patience);
  /// Asks the engine to quit, and kills what is left of it.
  ~UciEngine();

  /// Tells of a new game and waits until the engine is ready for it.
  std::optional<Fault> start_game(const Halted& halted);
  /// Lets the engine search; it stalls if no answer comes within `budget` + patience.
  UciAnswer search(const std::string& position, const std::string& go, std::chrono::milliseconds budget,
                   const Halted& halted);

  /// What the engine said by `info string` while it was set up: which net plays, an option that it refused.
  const std::vector<std::string>& remarks() const { return remarks_; }
  void kill() { process_.kill(); }
  std::string transcript() const { return process_.transcript(); }

 private:
  void set_up(const EngineCommand& command, Variant variant);
  void set_option(const UciOption& option, const std::string& value);
  /// The first line that `accepts`; nothing if it doesn't come in time, the engine ends or the match halts.
  std::optional<StampedLine> await(SteadyTime deadline, const Halted& halted,
                                   const std::function<bool(std::string_view)>& accepts);
  std::optional<StampedLine> await_word(std::string_view word, const Halted& halted);
  /// Why nothing came: it ended, or it is silent.
  Fault silence(const std::string& awaited);

  std::string name_;
  std::chrono::milliseconds patience_;
  EngineProcess process_;
  std::vector<UciOption> options_;
  std::vector<std::string> remarks_;
};

}  // namespace farrier
