#include "selfplay/match/opening_book.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>

#include "engine/base/byte_order_mark.h"
#include "engine/base/error.h"
#include "engine/base/number.h"
#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/chess/outcome.h"
#include "engine/chess/pgn.h"
#include "engine/variants/dispatch.h"
#include "selfplay/match/uci_messages.h"

namespace farrier {
namespace {

constexpr std::uint64_t kBookStream = 0x626F6F6B;  // "book"

/// Collects openings and refuses what can't be played, with its line.
template <VariantRules R>
class BookReader {
 public:
  explicit BookReader(const BookSettings& settings) : settings_(settings), file_(settings.file) {
    if (std::filesystem::is_directory(settings.file))
      throw UserError(settings.file.string(), "is a folder; name an EPD or PGN file as the book");
    if (!file_)
      throw UserError(settings.file.string(),
                      "the book cannot be opened; name an EPD or PGN file that you may read");
  }

  std::vector<Opening> read() {
    if (settings_.file.extension() == ".pgn")
      read_games();
    else
      read_positions();
    if (openings_.empty()) throw UserError(settings_.file.string(), "the book holds no opening");
    return std::move(openings_);
  }

 private:
  void read_positions() {
    std::string line;
    for (std::int64_t number = 1; std::getline(file_, line); ++number) {
      if (number == 1) line = without_byte_order_mark(line);
      if (line.ends_with('\r')) line.pop_back();
      if (words_of(line).empty() || line.starts_with('#')) continue;
      const std::string place = fmt::format("{}: line {}", settings_.file.string(), number);
      add({.start = parse_epd<R>(line).value_or_throw(place), .moves = {}}, place);
    }
  }

  void read_games() {
    PgnReader reader(file_);
    for (std::int64_t number = 1; auto game = reader.next(); ++number) {
      const std::string place = fmt::format("{}: game {}", settings_.file.string(), number);
      const PgnGame played = game->value_or_throw(settings_.file.string());
      if (played.variant != R::kVariant)
        throw UserError(place, fmt::format("is a game of {}, not of {}", variant_name(played.variant),
                                           variant_name(R::kVariant)));
      Opening opening{.start = parse_fen<R>(played.start_fen).value_or_throw(place), .moves = {}};
      for (const PgnMove& move : played.moves) {
        if (static_cast<int>(opening.moves.size()) == settings_.plies) break;
        opening.moves.push_back(move.move);
      }
      add(std::move(opening), place);
    }
  }

  void add(Opening opening, const std::string& place) {
    Game<R> game(opening.start);
    for (const Move move : opening.moves) game.play(move);
    if (const auto outcome = game.outcome())
      throw UserError(place,
                      fmt::format("the game is over there ({})", termination_name(outcome->termination)));
    const auto [seen, is_new] = places_.emplace(game.board().key, place);
    if (!is_new) throw UserError(place, fmt::format("leads to the same position as {}", seen->second));
    openings_.push_back(std::move(opening));
  }

  const BookSettings& settings_;
  std::ifstream file_;
  std::vector<Opening> openings_;
  std::map<std::uint64_t, std::string> places_;
};

bool is_number(std::string_view word) { return to_number(word).has_value(); }

}  // namespace

template <VariantRules R>
OpeningBook OpeningBook::read(const BookSettings& settings) {
  OpeningBook book;
  book.openings_ = BookReader<R>(settings).read();
  return book;
}

int OpeningBook::longest() const {
  std::size_t plies = 0;
  for (const Opening& opening : openings_) plies = std::max(plies, opening.moves.size());
  return static_cast<int>(plies);
}

const Opening& OpeningBook::opening(std::int64_t index, BookOrder order, std::uint64_t seed) const {
  const auto size = static_cast<std::int64_t>(openings_.size());
  const auto place = static_cast<std::size_t>(index % size);
  if (order == BookOrder::Sequential) return openings_[place];
  std::vector<std::size_t> shuffled(openings_.size());
  std::iota(shuffled.begin(), shuffled.end(), std::size_t{0});
  Rng rng(derive_seed(seed, kBookStream, static_cast<std::uint64_t>(index / size)));
  for (std::size_t i = shuffled.size(); i > 1; --i)
    std::swap(shuffled[i - 1], shuffled[rng.below(static_cast<std::uint32_t>(i))]);
  return openings_[shuffled[place]];
}

template <VariantRules R>
std::string to_epd(const Board& board, const std::string& operations) {
  const std::string fen = to_fen<R>(board);
  const std::vector<std::string_view> fields = words_of(fen);
  return fmt::format("{} {} {} {} hmvc {}; fmvn {};{}{}", fields[0], fields[1], fields[2], fields[3],
                     fields[4], fields[5], operations.empty() ? "" : " ", operations);
}

template <VariantRules R>
Result<Board> parse_epd(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.size() < 4)
    return Failure{"an EPD line needs a board, the side to move, castling and en passant"};
  std::string half_moves = "0", move_number = "1";
  std::size_t next = 4;
  if (words.size() >= 6 && is_number(words[4]) && is_number(words[5])) {
    half_moves = words[4];
    move_number = words[5];
    next = 6;
  }
  // Operations end with a semicolon: a name, then operands.
  bool at_name = true;
  for (std::size_t i = next; i < words.size(); ++i) {
    if (at_name && i == next && !std::isalpha(static_cast<unsigned char>(words[i].front())))
      return Failure{fmt::format("\"{}\" is neither a move count nor an operation", words[i])};
    if (at_name && i + 1 < words.size()) {
      const std::string_view operand = words[i + 1].substr(0, words[i + 1].find(';'));
      if (words[i] == "hmvc") half_moves = operand;
      if (words[i] == "fmvn") move_number = operand;
    }
    at_name = words[i].ends_with(';');
  }
  return parse_fen<R>(
      fmt::format("{} {} {} {} {} {}", words[0], words[1], words[2], words[3], half_moves, move_number));
}

#define FARRIER_INSTANTIATE(R)                                      \
  template OpeningBook OpeningBook::read<R>(const BookSettings&);   \
  template std::string to_epd<R>(const Board&, const std::string&); \
  template Result<Board> parse_epd<R>(std::string_view);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
