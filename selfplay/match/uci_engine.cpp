#include "selfplay/match/uci_engine.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/error.h"

namespace farrier {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How often a wait looks whether the match has been halted.
constexpr milliseconds kHaltCheck{50};
constexpr milliseconds kQuitPatience{1000};
constexpr std::size_t kQuotedLength = 80;

const UciEngine::Halted kNeverHalted = [] { return false; };

bool begins_with_word(std::string_view line, std::string_view word) {
  const std::vector<std::string_view> words = words_of(line.substr(0, kQuotedLength));
  return !words.empty() && words[0] == word;
}

/// The beginning of a line, fit for JSON whatever the engine wrote.
std::string in_quotes(std::string_view line) {
  std::string text(line.substr(0, kQuotedLength));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return fmt::format("\"{}{}\"", text, line.size() > kQuotedLength ? "..." : "");
}

bool is_no_move(std::string_view text) { return text == "(none)" || text == "0000"; }

}  // namespace

UciEngine::UciEngine(const std::string& name, const EngineCommand& command, Variant variant,
                     milliseconds patience)
    : name_(name), patience_(patience), process_(command.child) {
  set_up(command, variant);
}

UciEngine::~UciEngine() { process_.quit(kQuitPatience); }

void UciEngine::set_up(const EngineCommand& command, Variant variant) {
  process_.send("uci");
  const auto ready = await(steady_clock::now() + patience_, kNeverHalted, [this](std::string_view line) {
    if (std::optional<UciOption> option = parse_uci_option(line)) options_.push_back(*std::move(option));
    return begins_with_word(line, "uciok");
  });
  if (!ready) throw UserError(name_, silence("uciok").what + "; does it speak UCI?");

  const auto option_of = [this](std::string_view wanted) {
    return std::find_if(options_.begin(), options_.end(),
                        [&](const UciOption& option) { return same_option_name(option.name, wanted); });
  };
  const auto variants = option_of("UCI_Variant");
  const std::string game(variant_name(variant));
  const bool plays =
      variants == options_.end()
          ? variant == Variant::Chess
          : std::find(variants->choices.begin(), variants->choices.end(), game) != variants->choices.end();
  if (!plays) throw UserError(name_, fmt::format("does not play {}, as its UCI_Variant says", game));
  if (variants != options_.end()) set_option(*variants, game);
  for (const auto& [wanted, value] : command.options) {
    const auto option = option_of(wanted);
    if (option == options_.end())
      throw UserError(name_, fmt::format("has no option \"{}\"; ask it by typing uci", wanted));
    set_option(*option, value);
  }
  process_.send("isready");
  const auto done = await(steady_clock::now() + patience_, kNeverHalted, [this](std::string_view line) {
    constexpr std::string_view kRemark = "info string ";
    if (line.starts_with(kRemark)) remarks_.emplace_back(line.substr(kRemark.size()));
    return begins_with_word(line, "readyok");
  });
  if (!done) throw UserError(name_, silence("readyok").what);
}

void UciEngine::set_option(const UciOption& option, const std::string& value) {
  const std::string text = "setoption name " + option.name;
  process_.send(option.type == "button" ? text : text + " value " + value);
}

std::optional<Fault> UciEngine::start_game(const Halted& halted) {
  process_.send("ucinewgame");
  process_.send("isready");
  if (await_word("readyok", halted) || halted()) return std::nullopt;
  return silence("readyok before the game");
}

UciAnswer UciEngine::search(const std::string& position, const std::string& go, milliseconds budget,
                            const Halted& halted) {
  UciAnswer answer;
  process_.send(position);
  process_.send("isready");  // whatever is said before the answer belongs to no `go`
  const auto ready = await(steady_clock::now() + patience_, halted, [](std::string_view line) {
    return begins_with_word(line, "readyok") || begins_with_word(line, "bestmove");
  });
  if (!ready && halted())
    answer.interrupted = true;
  else if (!ready)
    answer.fault = silence("readyok");
  else if (begins_with_word(ready->text, "bestmove"))
    answer.fault = Fault{Termination::ProtocolError, in_quotes(ready->text) + " without being asked"};
  if (answer.interrupted || answer.fault) return answer;

  const SteadyTime start = steady_clock::now();
  process_.send(go);
  std::string strange;
  const auto best = await(start + budget + patience_, halted, [&](std::string_view line) {
    if (line.starts_with("info")) {
      answer.info.read(line);
      return false;
    }
    if (begins_with_word(line, "bestmove")) return true;
    if (strange.empty()) strange = line;
    return false;
  });
  const SteadyTime known = steady_clock::now();
  answer.elapsed = (best ? best->at : known) - start;
  if (best) {
    answer.our_latency = known - best->at;
    const std::vector<std::string_view> words = words_of(best->text);
    if (words.size() > 1) answer.best_move = words[1];
    if (!has_form_of_move(answer.best_move) && !is_no_move(answer.best_move))
      answer.fault = Fault{Termination::ProtocolError, in_quotes(best->text) + " names no move"};
  } else if (halted()) {
    answer.interrupted = true;
  } else {
    answer.fault = silence("bestmove");
    if (answer.fault->kind == Termination::Stall && !strange.empty())
      answer.fault = Fault{Termination::ProtocolError, in_quotes(strange) + " instead of a bestmove"};
  }
  return answer;
}

std::optional<StampedLine> UciEngine::await(SteadyTime deadline, const Halted& halted,
                                            const std::function<bool(std::string_view)>& accepts) {
  for (SteadyTime now = steady_clock::now(); now < deadline && !halted(); now = steady_clock::now()) {
    std::optional<StampedLine> line = process_.next_line(std::min(deadline, now + kHaltCheck));
    if (line && accepts(line->text)) return line;
    if (!line && process_.is_gone()) break;
  }
  return std::nullopt;
}

std::optional<StampedLine> UciEngine::await_word(std::string_view word, const Halted& halted) {
  return await(steady_clock::now() + patience_, halted,
               [word](std::string_view line) { return begins_with_word(line, word); });
}

Fault UciEngine::silence(const std::string& awaited) {
  if (process_.is_gone())
    return {Termination::Crash, fmt::format("ended before {} ({})", awaited, process_.end_text())};
  return {Termination::Stall, fmt::format("gives no {}", awaited)};
}

}  // namespace farrier
