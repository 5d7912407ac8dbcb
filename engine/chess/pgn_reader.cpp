// Games out of PGN tokens: tags make the start position, symbols the moves, and what fails is told with its place.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/base/quoted.h"
#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/chess/pgn.h"
#include "engine/chess/san.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

using Kind = PgnToken::Kind;

/// More than any program writes; a bound, since each tag is held against those before it.
constexpr std::size_t kMaxTags = 256;

std::string line_text(std::int64_t line) { return "line " + std::to_string(line) + ": "; }

void join(std::string& text, std::string_view more) {
  if (!text.empty() && !more.empty()) text += ' ';
  text += more;
}

/// "0:01:23.4", "1:23" or "83.4" in milliseconds.
std::optional<std::int64_t> read_clock(std::string_view text) {
  constexpr std::int64_t kMost = std::int64_t{1000000} * 3600;  // in seconds: beyond any real clock
  std::int64_t seconds = 0;
  for (int parts = 1;; ++parts) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0 || number > kMost || parts > 3) return std::nullopt;
    seconds = seconds * 60 + number;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with(':')) break;
    text.remove_prefix(1);
  }
  if (seconds > kMost) return std::nullopt;
  std::int64_t ms = seconds * 1000;
  if (text.empty()) return ms;
  if (text[0] != '.' || text.size() < 2) return std::nullopt;
  std::int64_t unit = 100;
  for (char c : text.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    ms += unit * (c - '0');
    unit /= 10;
  }
  return ms;
}

/// Adds a comment to a move; a clock in it goes where it belongs.
void add_comment(PgnMove& move, std::string comment) {
  constexpr std::string_view kCommand = "[%clk ";
  const std::size_t begin = comment.find(kCommand);
  const std::size_t end = comment.find(']', begin);
  if (begin != std::string::npos && end != std::string::npos) {
    std::string_view value = std::string_view(comment).substr(0, end).substr(begin + kCommand.size());
    while (value.ends_with(' ')) value.remove_suffix(1);
    if (const auto clock = read_clock(value)) {
      move.clock_ms = clock;
      std::size_t after = end + 1;  // with one of the two spaces around it
      if (after < comment.size() && comment[after] == ' ' && (begin == 0 || comment[begin - 1] == ' '))
        ++after;
      comment.erase(begin, after - begin);
      while (comment.ends_with(' ')) comment.pop_back();
    }
  }
  join(move.comment, comment);
}

/// What the tags say besides the game's own list.
struct Header {
  std::optional<PgnToken> variant, fen, set_up, result;
  std::string failure;  // the first one, with its line

  void fail(std::int64_t line, const std::string& reason) {
    if (failure.empty()) failure = line_text(line) + reason;
  }
};

void add_tag(const PgnToken& token, PgnGame& game, Header& header) {
  std::optional<PgnToken>* own = nullptr;
  if (same_tag_name(token.name, "Variant")) own = &header.variant;
  if (same_tag_name(token.name, "FEN")) own = &header.fen;
  if (same_tag_name(token.name, "SetUp")) own = &header.set_up;
  if (same_tag_name(token.name, "Result")) own = &header.result;
  if (own && own->has_value()) {
    header.fail(token.line, "the tag " + quoted(token.name) + " stands twice");
  } else if (own) {
    *own = token;
  } else if (game.tags.size() == kMaxTags) {
    header.fail(token.line, "a game of more than " + std::to_string(kMaxTags) + " tags is not read");
  } else {
    game.tags.emplace_back(token.name, token.text);
  }
}

/// Whether a tag begins another game though this one has neither moves nor result: it has this tag already.
bool begins_next_game(const PgnToken& token, const PgnGame& game) {
  if (!token.after_blank && !same_tag_name(token.name, "Event")) return false;
  return std::any_of(game.tags.begin(), game.tags.end(),
                     [&](const auto& tag) { return same_tag_name(tag.first, token.name); });
}

/// Variant, start position and result, as far as the tags tell them.
void apply_header(PgnGame& game, Header& header) {
  if (header.variant) {
    const std::string& name = header.variant->text;
    const auto variant = variant_from_pgn_name(name);
    if (!variant)
      header.fail(header.variant->line,
                  "the variant " + quoted(name) + " is not known; known are " + std::string(variant_names()));
    game.variant = variant.value_or(Variant::Chess);
  }
  game.start_fen = start_fen(game.variant);
  if (header.fen) {
    with_rules(game.variant, [&]<VariantRules R>() {
      const Result<Board> board = parse_fen<R>(header.fen->text);
      if (board) {
        game.start_fen = to_fen<R>(*board);
      } else {
        header.fail(header.fen->line, "the tag FEN: " + board.reason());
      }
    });
  } else if (header.set_up && header.set_up->text == "1") {
    header.fail(header.set_up->line, "the tag SetUp promises a FEN tag, and there is none");
  }
  if (header.result) {
    const std::string& result = header.result->text;
    if (result == "1-0" || result == "0-1" || result == "1/2-1/2") {
      game.result = result;
    } else if (result == "1/2") {
      game.result = "1/2-1/2";
    } else if (result != "*" && result != "?" && !result.empty()) {
      header.fail(header.result->line, "the tag Result: " + quoted(result) + " is no result");
    }
  }
}

/// The movetext of one game.
template <VariantRules R>
class MovetextReader {
 public:
  explicit MovetextReader(PgnGame& game) : game_(game), board_(*parse_fen<R>(game.start_fen)) {}

  /// Takes a token of this game in; returns the reason of a failure, empty if there is none.
  std::string take(const PgnToken& token) {
    switch (token.kind) {
      case Kind::Open:
        if (depth_++ == 0) opened_ = token.line;
        return {};
      case Kind::Close:
        if (depth_ == 0) return place(token) + "a variation ends that never began";
        --depth_;
        return {};
      case Kind::Fault:
      case Kind::TooLong:
        return place(token) + token.text;
      case Kind::Symbol:
        return depth_ > 0 ? "" : move(token);
      case Kind::Comment:
        if (depth_ == 0 && game_.moves.empty()) join(game_.comment, token.text);
        if (depth_ == 0 && !game_.moves.empty()) add_comment(game_.moves.back(), token.text);
        return {};
      case Kind::Nag:
        if (depth_ == 0 && !game_.moves.empty()) game_.moves.back().nags.push_back(token.nag);
        return {};
      default:
        return {};
    }
  }

  /// Takes the end in: a result, the next game's tag or the end of the stream.
  std::string finish(const PgnToken& token) {
    if (depth_ > 0) return line_text(opened_) + "a variation is never closed";
    if (token.kind != Kind::Result || token.text == "*") return {};
    if (game_.result != "*" && game_.result != token.text)
      return line_text(token.line) + "the game ends with " + token.text + ", but its tag Result says " +
             game_.result;
    game_.result = token.text;
    return {};
  }

  bool in_variation() const { return depth_ > 0; }

 private:
  std::string place(const PgnToken& token) const {
    return "line " + std::to_string(token.line) + ", move " + std::to_string(board_.fullmove_number) +
           (board_.side_to_move == Color::White ? ": " : " (black): ");
  }

  std::string move(const PgnToken& token) {
    if (token.text == "e.p." || token.text == "ep") return {};
    const Result<Move> read = parse_san<R>(board_, token.text);
    if (!read) return place(token) + read.reason();
    make_move<R>(board_, *read);
    game_.moves.push_back(PgnMove{*read, {}, {}, {}});
    return {};
  }

  PgnGame& game_;
  Board board_;
  int depth_ = 0;
  std::int64_t opened_ = 0;
};

}  // namespace

std::string_view PgnGame::tag(std::string_view name) const {
  for (const auto& [key, value] : tags)
    if (same_tag_name(key, name)) return value;
  return {};
}

std::optional<Variant> variant_from_pgn_name(std::string_view name) {
  std::string plain;
  for (char c : name)
    if (c != ' ' && c != '-' && c != '_')
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (std::string_view chess : {"", "?", "standard", "normal", "fromposition"})
    if (plain == chess) return Variant::Chess;
  return variant_from_name(plain);
}

PgnToken PgnReader::take() {
  if (!kept_) return lexer_.next();
  PgnToken token = std::move(*kept_);
  kept_.reset();
  return token;
}

std::optional<Result<PgnGame>> PgnReader::next() {
  lexer_.begin_game();
  PgnGame game;
  Header header;
  PgnToken token = take();
  bool tagged = false;
  for (;; token = take()) {
    if (token.kind == Kind::Tag) {
      if (begins_next_game(token, game)) break;
      add_tag(token, game, header);
      tagged = true;
      game.comment.clear();  // what stood before a tag is no word on the game
    } else if (token.kind == Kind::Comment) {
      join(game.comment, token.text);
    } else if (token.kind == Kind::Fault) {
      header.fail(token.line, token.text);
    } else {
      break;
    }
  }
  if (!tagged && header.failure.empty() && token.kind == Kind::End) return std::nullopt;
  const bool among_tags = tagged && token.kind == Kind::TooLong;
  apply_header(game, header);

  std::string failure = header.failure;
  if (!failure.empty()) game.start_fen = start_fen(game.variant);  // only to find the end of it
  with_rules(game.variant, [&]<VariantRules R>() {
    MovetextReader<R> reader(game);
    for (;; token = take()) {
      const bool ended = token.kind == Kind::Tag || token.kind == Kind::End ||
                         (token.kind == Kind::Result && !reader.in_variation());
      std::string reason = ended ? reader.finish(token) : reader.take(token);
      if (failure.empty()) failure = std::move(reason);
      if (ended) break;
      if (token.kind == Kind::TooLong) {
        lexer_.skip_game(among_tags);
        return;
      }
    }
    if (token.kind == Kind::Tag) kept_ = std::move(token);
  });
  if (!failure.empty()) return Failure{failure};
  return game;
}

}  // namespace farrier
