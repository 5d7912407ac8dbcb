#include "selfplay/convert/position_lines.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "engine/base/number.h"
#include "engine/base/quoted.h"
#include "engine/chess/fen.h"
#include "engine/chess/san.h"
#include "engine/search/score.h"
#include "engine/variants/dispatch.h"
#include "selfplay/match/opening_book.h"

namespace farrier {
namespace {

constexpr std::array<std::string_view, 3> kTextResults{"0.0", "0.5", "1.0"};  // by result_white + 1
constexpr std::array<std::string_view, 3> kPgnResults{"0-1", "1/2-1/2", "1-0"};

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// A score's view changed from White to the side to move, or back.
int other_view(int score, const Board& board) { return board.side_to_move == Color::White ? score : -score; }

std::optional<int> read_score(std::string_view text) {
  const auto number = to_number(text);
  if (!number || *number > kMateScore || *number < -kMateScore) return std::nullopt;
  return static_cast<int>(*number);
}

/// The operations of an EPD line: name and operand, the quotes of a text taken off.
std::vector<std::pair<std::string_view, std::string_view>> operations_of(std::string_view line) {
  for (int field = 0; field < 4; ++field) {  // board, side, castling, en passant
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    line.remove_prefix(std::min(line.find(' '), line.size()));
  }
  // A full FEN's clocks may stand before them.
  for (int clock = 0; clock < 2; ++clock) {
    line = trimmed(line);
    const std::string_view word = line.substr(0, line.find(' '));
    if (to_number(word)) line.remove_prefix(word.size());
  }
  std::vector<std::pair<std::string_view, std::string_view>> found;
  while (!trimmed(line).empty()) {
    line = trimmed(line);
    const std::size_t name_end = std::min(line.find_first_of(" ;"), line.size());
    const std::string_view name = line.substr(0, name_end);
    line = trimmed(line.substr(name_end));
    const bool is_text = line.starts_with('"');
    if (is_text) line.remove_prefix(1);
    const std::size_t end = std::min(line.find(is_text ? '"' : ';'), line.size());
    found.emplace_back(name, trimmed(line.substr(0, end)));
    line.remove_prefix(end);
    const std::size_t next = line.find(';');
    line.remove_prefix(next == std::string_view::npos ? line.size() : next + 1);
  }
  return found;
}

}  // namespace

template <VariantRules R>
std::string to_text_line(const PositionRow& row) {
  return fmt::format("{} | {} | {}\n", to_fen<R>(row.board), other_view(*row.score_cp_stm, row.board),
                     kTextResults[static_cast<std::size_t>(*row.result_white + 1)]);
}

template <VariantRules R>
Result<PositionRow> parse_text_line(std::string_view line) {
  std::array<std::string_view, 3> fields;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t end = i < 2 ? line.find('|') : line.size();
    if (end == std::string_view::npos) return Failure{"a line is FEN | score | result"};
    fields[i] = trimmed(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  Result<Board> board = parse_fen<R>(fields[0]);
  if (!board) return Failure{board.reason()};
  PositionRow row{*board, {}, {}, {}};
  const auto score = read_score(fields[1]);
  if (!score)
    return Failure{"the score " + quoted(fields[1]) + " is no number of centipawns from -32000 to 32000"};
  row.score_cp_stm = other_view(*score, row.board);
  for (std::size_t i = 0; i < kTextResults.size(); ++i)
    if (fields[2] == kTextResults[i] || fields[2] == kPgnResults[i] ||
        (i != 1 && fields[2] == kTextResults[i].substr(0, 1)))
      row.result_white = static_cast<int>(i) - 1;
  if (!row.result_white)
    return Failure{"the result " + quoted(fields[2]) + " is none of 1.0, 0.5 and 0.0 (White's side)"};
  return row;
}

template <VariantRules R>
std::string to_epd_line(const PositionRow& row) {
  std::string operations;
  const auto add = [&](std::string_view operation) {
    operations += (operations.empty() ? "" : " ") + std::string(operation) + ";";
  };
  if (row.move) add("bm " + to_san<R>(row.board, *row.move));
  if (row.score_cp_stm) add(fmt::format("ce {}", *row.score_cp_stm));
  if (row.result_white)
    add(fmt::format("c9 \"{}\"", kPgnResults[static_cast<std::size_t>(*row.result_white + 1)]));
  return to_epd<R>(row.board, operations) + '\n';
}

template <VariantRules R>
Result<PositionRow> parse_epd_line(std::string_view line) {
  Result<Board> board = parse_epd<R>(line);
  if (!board) return Failure{board.reason()};
  PositionRow row{*board, {}, {}, {}};
  for (const auto& [name, operand] : operations_of(line)) {
    if (name == "bm") {
      const Result<Move> move = parse_san<R>(row.board, operand.substr(0, operand.find(' ')));
      if (!move) return Failure{"bm: " + move.reason()};
      row.move = *move;
    } else if (name == "ce") {
      const auto score = read_score(operand);
      if (!score) return Failure{"ce: " + quoted(operand) + " is no number of centipawns"};
      row.score_cp_stm = *score;
    } else if (name == "c9" || name == "c0") {
      for (std::size_t i = 0; i < kPgnResults.size(); ++i)
        if (operand == kPgnResults[i]) row.result_white = static_cast<int>(i) - 1;
    }
  }
  return row;
}

#define FARRIER_INSTANTIATE(R)                                       \
  template std::string to_text_line<R>(const PositionRow&);          \
  template Result<PositionRow> parse_text_line<R>(std::string_view); \
  template std::string to_epd_line<R>(const PositionRow&);           \
  template Result<PositionRow> parse_epd_line<R>(std::string_view);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
