#include "engine/protocol/xboard_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/base/number.h"
#include "engine/base/version.h"
#include "engine/chess/notation.h"
#include "engine/search/score.h"

namespace farrier {
namespace {

constexpr double kMaxSeconds = 1e8;  // three years: far from any overflow
constexpr std::string_view kBlanks = " \t\r\v\f";

std::string_view first_word(std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of(kBlanks));
}

/// Takes a number that is not negative, with or without a fraction, off the front of the text.
std::optional<double> take_number(std::string_view& text) {
  double value = 0;
  if (text.empty() || !(std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.'))
    return std::nullopt;  // from_chars would read "nan" and signs
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return std::min(value, kMaxSeconds);
}

std::int64_t to_ms(double seconds) {
  return static_cast<std::int64_t>(std::min(seconds, kMaxSeconds) * 1000 + 0.5);
}

/// The option as XBoard's `feature option` describes one.
std::string describe(const EngineOption& option) {
  const std::string preset = option.default_text == "<empty>" ? "" : option.default_text;
  switch (option.kind) {
    case EngineOption::Kind::Spin:
      return option.name + " -spin " + preset + ' ' + std::to_string(option.least) + ' ' +
             std::to_string(option.most);
    case EngineOption::Kind::Check:
      return option.name + " -check " + (preset == "true" ? "1" : "0");
    case EngineOption::Kind::Button:
      return option.name + " -button";
    case EngineOption::Kind::String:
      return option.name +
             (option.name.ends_with("File")   ? " -file "
              : option.name.ends_with("Path") ? " -path "
                                              : " -string ") +
             preset;
    case EngineOption::Kind::Combo:
      break;
  }
  std::string text = option.name + " -combo ";
  for (const std::string& choice : option.choices)
    text += (&choice == &option.choices.front() ? "" : " /// ") + std::string(choice == preset ? "*" : "") +
            choice;
  return text;
}

/// Options that XBoard sets by commands of its own, or that only UCI has.
bool has_own_command(const EngineOption& option) {
  return option.name.starts_with("UCI_") || option.name == "Hash" || option.name == "Threads" ||
         option.name == "Ponder";
}

}  // namespace

XboardLine split_line(std::string_view line) {
  const std::string_view command = first_word(line);
  if (command.empty()) return {};
  line.remove_prefix(static_cast<std::size_t>(command.data() + command.size() - line.data()));
  const auto begin = line.find_first_not_of(kBlanks);
  const std::string_view arguments =
      begin == std::string_view::npos ? "" : line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
  return {std::string(command), std::string(arguments)};
}

std::optional<XboardLevel> parse_level(std::string_view arguments) {
  const XboardLine moves_and_rest = split_line(arguments);
  const XboardLine base_and_rest = split_line(moves_and_rest.arguments);
  const auto moves = parse_integer(moves_and_rest.command);
  std::string_view base = base_and_rest.command;
  const auto minutes = take_number(base);
  std::string_view increment = first_word(base_and_rest.arguments);
  const auto increment_seconds = take_number(increment);
  if (!moves || *moves < 0 || !minutes || !increment_seconds) return std::nullopt;

  // What follows MIN or MIN:SEC is left for later versions of the protocol.
  double seconds = *minutes * 60;
  if (base.starts_with(':')) {
    base.remove_prefix(1);
    seconds += take_number(base).value_or(0);
  }
  return XboardLevel{static_cast<int>(std::min<std::int64_t>(*moves, 10'000)), to_ms(seconds),
                     to_ms(*increment_seconds)};
}

std::optional<std::int64_t> parse_seconds(std::string_view text) {
  std::string_view word = first_word(text);
  const auto seconds = take_number(word);
  if (!seconds || !word.empty()) return std::nullopt;
  return to_ms(*seconds);
}

std::optional<std::int64_t> parse_integer(std::string_view text) { return to_number(first_word(text)); }

bool looks_like_move(std::string_view word) {
  const auto is_file = [](char c) { return c >= 'a' && c <= 'h'; };
  const auto is_rank = [](char c) { return c >= '1' && c <= '8'; };
  if (word.starts_with("O-O") || word.starts_with("0-0")) return true;
  if (word.size() > 10) return false;
  // Every other move names a square, and holds nothing but squares, men and the marks of SAN.
  const bool names_square = std::adjacent_find(word.begin(), word.end(), [&](char a, char b) {
                              return is_file(a) && is_rank(b);
                            }) != word.end();
  const bool is_plain =
      word.find_first_not_of("abcdefgh12345678PNBRQKMpnbrqkmx@=+#") == std::string_view::npos;
  return names_square && is_plain;
}

std::optional<Variant> variant_from_xboard_name(std::string_view name) {
  return name == "normal" ? Variant::Chess : variant_from_name(name);
}

std::vector<std::string> feature_lines(const OptionList& options) {
  std::string names = "normal";
  for (Variant v : kAllVariants)
    if (v != Variant::Chess) names += ',' + std::string(variant_name(v));
  std::vector<std::string> lines{
      "feature done=0",
      "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 "
      "analyze=1",
      "feature colors=0 ics=0 name=0 pause=0 nps=0 debug=1 memory=1 smp=1",
      "feature myname=\"Farrier " + std::string(program_version()) + "\"",
      "feature variants=\"" + names + "\"",
  };
  for (const EngineOption& option : options.all())
    if (!has_own_command(option)) lines.push_back("feature option=\"" + describe(option) + "\"");
  lines.push_back("feature done=1");
  return lines;
}

std::string setup_line(Variant variant) {
  if (variant != Variant::PocketKnight) return "";
  // The men that may be dropped are the first two of XBoard's list, and bughouse is the parent in which captures
  // fill no holdings.
  return "setup (PNBRQ...........Kpnbrq...........k) 8x8+2_bughouse " + std::string(start_fen(variant));
}

std::string thinking_line(const SearchReport& report) {
  constexpr int kMate = 100'000;
  int score = report.score_cp_stm;
  if (is_mate_score(score)) score = score > 0 ? kMate + moves_to_mate(score) : moves_to_mate(score) - kMate;
  std::string line = std::to_string(report.depth) + ' ' + std::to_string(score) + ' ' +
                     std::to_string(report.elapsed_ms / 10) + ' ' + std::to_string(report.nodes);
  for (Move move : report.pv) line += ' ' + to_uci(move);
  return line;
}

std::string result_line(const Outcome& outcome) {
  switch (outcome.termination) {
    case Termination::Checkmate:
      return outcome.result_white > 0 ? "1-0 {White mates}" : "0-1 {Black mates}";
    case Termination::Stalemate:
      return "1/2-1/2 {Stalemate}";
    case Termination::Repetition:
      return "1/2-1/2 {Draw by repetition}";
    case Termination::FiftyMoves:
      return "1/2-1/2 {Draw by fifty-move rule}";
    case Termination::DeadPosition:
      return "1/2-1/2 {Draw by insufficient mating material}";
    default:
      break;  // no other follows from the rules
  }
  return outcome.result_white > 0 ? "1-0 {}" : outcome.result_white < 0 ? "0-1 {}" : "1/2-1/2 {}";
}

std::string on_one_line(std::string_view line) {
  constexpr std::size_t kLongest = 200;
  std::string text(line.substr(0, kLongest));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
  return line.size() > kLongest ? text + "..." : text;
}

}  // namespace farrier
