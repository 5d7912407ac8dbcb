#include "engine/chess/pgn_lexer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <istream>

#include "engine/base/byte_order_mark.h"

namespace farrier {
namespace {

/// Far above any real game: 2000 plies with a clock and a hundred characters of comment are a third of it.
constexpr std::size_t kMaxGameBytes = std::size_t{1} << 20;

constexpr std::string_view kSpace = " \t\v\f";

bool is_space(char c) { return kSpace.find(c) != std::string_view::npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
bool ends_symbol(char c) {
  return is_space(c) || std::string_view("{}()[]<>;$!?*").find(c) != std::string_view::npos;
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

/// Appends with runs of white space as one space.
void append_words(std::string& text, std::string_view more) {
  for (char c : more) {
    if (!is_space(c)) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
}

void trim_end(std::string& text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
}

PgnToken fault(PgnToken token, std::string reason) {
  token.kind = PgnToken::Kind::Fault;
  token.text = std::move(reason);
  return token;
}

PgnToken too_long(PgnToken token) {
  token.kind = PgnToken::Kind::TooLong;
  token.text = "a game of more than " + std::to_string(kMaxGameBytes) + " bytes is not read";
  return token;
}

/// `!` to `?!` as their numbers; of a longer run the first two count.
int nag_of(std::string_view marks) {
  if (marks.size() == 1) return marks[0] == '!' ? 1 : 2;
  if (marks[0] == marks[1]) return marks[0] == '!' ? 3 : 4;
  return marks[0] == '!' ? 5 : 6;
}

}  // namespace

bool same_tag_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

void PgnLexer::begin_game() { game_bytes_ = text_.size() - at_; }

/// The next line of the stream; lines that `%` begins are left out. False at the end.
bool PgnLexer::load_line() {
  std::streambuf* bytes = in_.rdbuf();
  constexpr int kEnd = std::istream::traits_type::eof();
  for (;;) {
    text_.clear();
    at_ = 0;
    cut_ = false;
    int c = bytes ? bytes->sbumpc() : kEnd;
    if (c == kEnd) return false;
    ++line_;
    for (; c != kEnd && c != '\n' && c != '\r'; c = bytes->sbumpc()) {
      if (text_.size() < kMaxGameBytes) {
        text_ += static_cast<char>(c);
      } else {
        cut_ = true;
      }
    }
    if (c == '\r' && bytes->sgetc() == '\n') bytes->sbumpc();
    if (line_ == 1) text_ = without_byte_order_mark(std::move(text_));
    game_bytes_ += text_.size() + 1;
    if (!text_.starts_with('%')) return true;
  }
}

bool PgnLexer::at_tag_line() const {
  std::size_t at = skip_space(text_, 0);
  if (cut_ || at_ > at || at == text_.size() || text_[at] != '[') return false;
  at = skip_space(text_, at + 1);
  const std::size_t name = at;
  while (at < text_.size() && is_name(text_[at])) ++at;
  if (at == name) return false;
  at = skip_space(text_, at);
  return at < text_.size() && text_[at] == '"';
}

void PgnLexer::skip_game(bool among_tags) {
  while (among_tags && load_line()) among_tags = at_tag_line() || skip_space(text_, 0) == text_.size();
  while (!at_tag_line() && load_line()) continue;
  begin_game();
}

PgnToken PgnLexer::next() {
  PgnToken token;
  for (;;) {
    if (cut_ || game_bytes_ > kMaxGameBytes) {
      token.line = line_;
      return too_long(std::move(token));
    }
    at_ = skip_space(text_, at_);
    if (at_ < text_.size()) break;
    if (!load_line()) return token;
    blank_ = blank_ || skip_space(text_, 0) == text_.size();
  }
  token.line = line_;
  token.after_blank = blank_;
  blank_ = false;
  const char c = text_[at_];
  const auto single = [&](PgnToken::Kind kind) {
    ++at_;
    token.kind = kind;
    return std::move(token);
  };
  switch (c) {
    case '[':
      return read_tag(std::move(token));
    case '{':
    case ';':
      return read_comment(std::move(token));
    case '(':
      return single(PgnToken::Kind::Open);
    case ')':
      return single(PgnToken::Kind::Close);
    case '*':
      token.text = "*";
      return single(PgnToken::Kind::Result);
    case '$':
    case '!':
    case '?':
      return read_nag(std::move(token));
    case '}':
    case ']':
    case '<':
    case '>':
      ++at_;
      return fault(std::move(token), "'" + std::string(1, c) + "' has no meaning here");
    default:
      return read_symbol(std::move(token));
  }
}

/// `[Name "value"]` on one line. Inside, `\"` and `\\` are read as PGN has them; a bare quote that no bracket
/// follows belongs to the value, as careless programs write it.
PgnToken PgnLexer::read_tag(PgnToken token) {
  const auto broken = [&](const std::string& reason) {
    at_ = text_.size();
    return fault(std::move(token), "a tag " + reason);
  };
  at_ = skip_space(text_, at_ + 1);
  while (at_ < text_.size() && is_name(text_[at_])) token.name += text_[at_++];
  if (token.name.empty()) return broken("has no name");
  at_ = skip_space(text_, at_);
  if (at_ == text_.size() || text_[at_] != '"') return broken("has no value in quotes");
  for (++at_; at_ < text_.size(); ++at_) {
    char c = text_[at_];
    if (c == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\')) {
      c = text_[++at_];
    } else if (c == '"') {
      const std::size_t after = skip_space(text_, at_ + 1);
      if (after < text_.size() && text_[after] == ']') {
        at_ = after + 1;
        token.kind = PgnToken::Kind::Tag;
        return token;
      }
    }
    token.text += c;
  }
  return broken("does not end with '\"]' on its line");
}

PgnToken PgnLexer::read_comment(PgnToken token) {
  token.kind = PgnToken::Kind::Comment;
  const bool braces = text_[at_++] == '{';
  if (!braces) {
    append_words(token.text, std::string_view(text_).substr(at_));
    at_ = text_.size();
    trim_end(token.text);
    return token;
  }
  for (bool blank = false;; blank = skip_space(text_, 0) == text_.size(), append_words(token.text, " ")) {
    const std::string_view rest = std::string_view(text_).substr(at_);
    const std::size_t end = rest.find('}');
    append_words(token.text, rest.substr(0, end));
    if (end != std::string_view::npos) {
      at_ += end + 1;
      trim_end(token.text);
      return token;
    }
    if (!load_line()) return fault(std::move(token), "a comment is never closed");
    if (cut_ || game_bytes_ > kMaxGameBytes) return too_long(std::move(token));
    // A whole game lost behind a forgotten brace is worse than a comment that quotes a game.
    if (blank && at_tag_line() && text_.find("[Event ") != std::string::npos)
      return fault(std::move(token), "a comment is not closed before the next game");
  }
}

PgnToken PgnLexer::read_nag(PgnToken token) {
  token.kind = PgnToken::Kind::Nag;
  const std::size_t begin = at_++;
  if (text_[begin] == '$') {
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    const char* last = text_.data() + at_;
    const auto [end, error] = std::from_chars(text_.data() + begin + 1, last, token.nag);
    if (error != std::errc() || end != last)
      return fault(std::move(token), "'$' is not followed by a number");
    return token;
  }
  while (at_ < text_.size() && (text_[at_] == '!' || text_[at_] == '?')) ++at_;
  token.nag = nag_of(std::string_view(text_).substr(begin, at_ - begin));
  return token;
}

/// A move, a result, or a move number with its dots.
PgnToken PgnLexer::read_symbol(PgnToken token) {
  const std::string_view rest = std::string_view(text_).substr(at_);
  bool digits = true;
  std::size_t n = 0;
  for (; n < rest.size(); ++n) {
    if (rest[n] == '.' && digits) break;
    // The brackets of `e8(Q)` are no variation.
    if (rest[n] == '(' && n >= 2 && is_digit(rest[n - 1]) && n + 2 < rest.size() && rest[n + 2] == ')') {
      n += 2;
      continue;
    }
    if (ends_symbol(rest[n])) break;
    digits = digits && is_digit(rest[n]);
  }
  at_ += n;
  token.text = rest.substr(0, n);
  token.kind = PgnToken::Kind::Symbol;
  if (digits) {
    token.kind = PgnToken::Kind::Number;
    while (at_ < text_.size() && text_[at_] == '.') ++at_;
  } else if (token.text == "1-0" || token.text == "0-1" || token.text == "1/2-1/2" || token.text == "1/2") {
    token.kind = PgnToken::Kind::Result;
    if (token.text == "1/2") token.text = "1/2-1/2";
  }
  return token;
}

}  // namespace farrier
