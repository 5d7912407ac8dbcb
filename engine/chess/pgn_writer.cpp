// Games written in PGN's export format.
#include <algorithm>
#include <array>
#include <cctype>

#include "engine/base/error.h"
#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/chess/notation.h"
#include "engine/chess/pgn.h"
#include "engine/chess/san.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

constexpr std::size_t kLineWidth = 79;  // the standard wants fewer than 80
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kRoster{
    {{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"}}};
constexpr std::array<std::string_view, 4> kOwnTags{"Variant", "SetUp", "FEN", "Result"};

bool is_control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }

void append_tag(std::string& text, std::string_view name, std::string_view value) {
  const bool sound = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c));
  });
  if (!sound) throw UserError("PGN", "'" + std::string(name) + "' can't be a tag's name");
  text += '[';
  text += name;
  text += " \"";
  for (char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += is_control(c) ? ' ' : c;
  }
  text += "\"]\n";
}

/// The roster, and the tags that follow from the game itself.
bool is_written_apart(std::string_view name) {
  return std::any_of(kRoster.begin(), kRoster.end(),
                     [&](const auto& tag) { return same_tag_name(tag.first, name); }) ||
         std::any_of(kOwnTags.begin(), kOwnTags.end(),
                     [&](std::string_view own) { return same_tag_name(own, name); });
}

/// Movetext: words with a space or a line's end between them.
class Movetext {
 public:
  explicit Movetext(std::string& text) : text_(text) {}

  void word(std::string_view word) {
    // A line that `%` begins would be skipped by readers.
    if (width_ > 0 && width_ + 1 + word.size() > kLineWidth && word[0] != '%') {
      text_ += '\n';
      width_ = 0;
    } else if (width_ > 0) {
      text_ += ' ';
      ++width_;
    }
    text_ += word;
    width_ += word.size();
  }

  void comment(std::string_view clock, std::string_view comment) {
    std::string all = std::string(clock) + (clock.empty() ? "" : " ") + std::string(comment);
    std::replace(all.begin(), all.end(), '}', ')');
    std::replace_if(all.begin(), all.end(), is_control, ' ');
    std::string_view rest = all;
    std::string open = "{";  // goes with the first word, as the closing one with the last
    for (;;) {
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      if (rest.empty()) break;
      // A command as `[%clk 0:00:01]` is not broken: many programs look for it within a line.
      const std::size_t inside = rest.starts_with("[%") ? rest.find(']') : 0;
      const std::size_t end =
          std::min(rest.find(' ', inside == std::string_view::npos ? 0 : inside), rest.size());
      const bool last = rest.find_first_not_of(' ', end) == std::string_view::npos;
      word(open + std::string(rest.substr(0, end)) + (last ? "}" : ""));
      open.clear();
      rest.remove_prefix(end);
    }
  }

 private:
  std::string& text_;
  std::size_t width_ = 0;
};

/// `[%clk 0:01:23.4]`, to the millisecond where it is not whole.
std::string clock_text(std::int64_t ms) {
  ms = std::max<std::int64_t>(ms, 0);
  const auto two_digits = [](std::int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  std::string text =
      std::to_string(ms / 3600000) + ':' + two_digits(ms / 60000 % 60) + ':' + two_digits(ms / 1000 % 60);
  if (ms % 1000 != 0) {
    text += '.' + std::to_string(1000 + ms % 1000).substr(1);
    while (text.back() == '0') text.pop_back();
  }
  return "[%clk " + text + "]";
}

template <VariantRules R>
Board start_of(const PgnGame& game) {
  return game.start_fen.empty() ? start_board<R>()
                                : parse_fen<R>(game.start_fen).value_or_throw("PGN: the start position");
}

/// A pawn drop as `P@e4`: XBoard doesn't read `@e4`, and who reads that reads this.
template <VariantRules R>
std::string san_of(const Board& board, Move move) {
  const std::string san = to_san<R>(board, move);
  return san.starts_with('@') ? "P" + san : san;
}

template <VariantRules R>
void append_moves(const PgnGame& game, Movetext& out) {
  Board board = start_of<R>(game);
  out.comment("", game.comment);
  bool numbered = false;  // whether Black's move needs no number of its own
  for (const PgnMove& played : game.moves) {
    if (!is_legal<R>(board, played.move))
      throw UserError("PGN", to_uci(played.move) + " is not legal in " + to_fen<R>(board));
    const bool white = board.side_to_move == Color::White;
    if (white || !numbered) out.word(std::to_string(board.fullmove_number) + (white ? "." : "..."));
    out.word(san_of<R>(board, played.move));
    for (int nag : played.nags) out.word("$" + std::to_string(std::max(nag, 0)));
    out.comment(played.clock_ms ? clock_text(*played.clock_ms) : "", played.comment);
    numbered = played.comment.empty() && !played.clock_ms;
    make_move<R>(board, played.move);
  }
}

}  // namespace

std::string to_pgn(const PgnGame& game) {
  constexpr std::array<std::string_view, 4> kResults{"1-0", "0-1", "1/2-1/2", "*"};
  if (std::find(kResults.begin(), kResults.end(), game.result) == kResults.end())
    throw UserError("PGN", "'" + game.result + "' is no result");

  std::string text;
  for (const auto& [name, unknown] : kRoster) {
    const std::string_view value = game.tag(name);
    append_tag(text, name, value.empty() ? unknown : value);
  }
  append_tag(text, "Result", game.result);
  if (game.variant != Variant::Chess) append_tag(text, "Variant", variant_name(game.variant));
  with_rules(game.variant, [&]<VariantRules R>() {
    const std::string fen = to_fen<R>(start_of<R>(game));
    if (fen == R::kStartFen) return;
    append_tag(text, "SetUp", "1");
    append_tag(text, "FEN", fen);
  });
  for (const auto& [name, value] : game.tags) {
    if (!is_written_apart(name)) append_tag(text, name, value);
  }
  text += '\n';
  Movetext movetext(text);
  with_rules(game.variant, [&]<VariantRules R>() { append_moves<R>(game, movetext); });
  movetext.word(game.result);
  return text + "\n\n";
}

}  // namespace farrier
