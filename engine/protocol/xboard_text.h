// What XBoard's lines say and how ours are written: pure text, no conversation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/chess/outcome.h"
#include "engine/protocol/options.h"
#include "engine/protocol/xboard_clock.h"
#include "engine/search/searcher.h"

namespace farrier {

/// A line taken apart: its first word and the rest, without the blanks around them.
struct XboardLine {
  std::string command, arguments;
};
XboardLine split_line(std::string_view line);

/// `level`'s arguments: moves per session, MIN[:SEC] and the increment in seconds, each with or without a
/// fraction; nothing where they are no time control.
std::optional<XboardLevel> parse_level(std::string_view arguments);
/// Seconds, with or without a fraction, as milliseconds.
std::optional<std::int64_t> parse_seconds(std::string_view text);
/// The first word as a whole number.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// Whether a word that is no command was meant as a move: `e2e5`, `P@e4`, `Nf3`, `O-O`.
bool looks_like_move(std::string_view word);
/// The variant of that name as XBoard calls it.
std::optional<Variant> variant_from_xboard_name(std::string_view name);

/// The answer to `protover`; ends with `done=1`.
std::vector<std::string> feature_lines(const OptionList& options);
/// What XBoard must be told of a variant whose rules it doesn't know; empty where it does.
std::string setup_line(Variant variant);
/// Scores are from the side to move, mates as 100000 and the number of moves.
std::string thinking_line(const SearchReport& report);
/// `1-0 {White mates}` and its like.
std::string result_line(const Outcome& outcome);
/// What came in, made fit to stand in an answer of one line.
std::string on_one_line(std::string_view line);

}  // namespace farrier
