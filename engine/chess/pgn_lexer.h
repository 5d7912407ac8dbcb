// PGN text taken apart into tokens, line by line from a stream, with a bound on what one game may hold in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace farrier {

struct PgnToken {
  enum class Kind { Tag, Comment, Nag, Open, Close, Number, Symbol, Result, Fault, TooLong, End };
  Kind kind = Kind::End;
  std::int64_t line = 0;  // where it begins, counted from 1
  std::string
      text;  // a tag's value, a comment's text with single spaces, a symbol, a result, a fault's reason
  std::string name;          // a tag's name
  int nag = 0;               // `$1`, also for `!`
  bool after_blank = false;  // a blank line stands before it
};

/// Tag names are told apart without regard to case: `[fen "..."]` is met in the wild.
bool same_tag_name(std::string_view a, std::string_view b);

/// Every call takes something off the stream or tells its end, so a caller's loop ends whatever the bytes are.
class PgnLexer {
 public:
  explicit PgnLexer(std::istream& in) : in_(in) {}

  PgnToken next();
  /// The bytes of one game are counted from here; beyond the bound the next token is TooLong.
  void begin_game();
  /// Leaves everything up to the next game: a line that begins with a tag, after the present tags if it stands among
  /// such.
  void skip_game(bool among_tags);

 private:
  bool load_line();
  bool at_tag_line() const;
  PgnToken read_tag(PgnToken token);
  PgnToken read_comment(PgnToken token);
  PgnToken read_nag(PgnToken token);
  PgnToken read_symbol(PgnToken token);

  std::istream& in_;
  std::string text_;  // the present line, without its end
  std::size_t at_ = 0;
  std::int64_t line_ = 0;
  bool blank_ = false;  // a blank line was met since the last token
  bool cut_ = false;    // the present line is longer than a game may be
  std::size_t game_bytes_ = 0;
};

}  // namespace farrier
