#include "selfplay/convert/pgn_games.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/base/number.h"
#include "engine/search/score.h"
#include "engine/variants/dispatch.h"
#include "selfplay/convert/imported_game.h"
#include "selfplay/data/replay.h"

namespace farrier {
namespace {

constexpr std::string_view kRandom = "random";
constexpr std::string_view kExploratory = "exploratory";
/// Values of the tag Termination whose results say nothing about the position.
constexpr std::array<std::string_view, 4> kFaultyEnds{"time forfeit", "rules infraction", "abandoned",
                                                      "unterminated"};

std::string eval_text(int score_cp_stm, Color mover) {
  const int sign = mover == Color::White ? 1 : -1;
  if (is_mate_score(score_cp_stm)) return fmt::format("[%eval #{}]", sign * moves_to_mate(score_cp_stm));
  return fmt::format("[%eval {:.2f}]", sign * score_cp_stm / 100.0);
}

/// Mate in so many moves of the mover, or of the other side if negative, as a score; zero is none.
std::optional<int> mate_score(std::int64_t moves) {
  if (moves == 0 || std::abs(moves) > kMaxPly / 2) return std::nullopt;
  const int n = static_cast<int>(moves);
  return n > 0 ? mate_in(2 * n - 1) : mated_in(-2 * n);
}

/// "0.35" as 35; nothing if the text does not begin with a decimal number. Takes it off the text.
std::optional<int> take_pawns(std::string_view& text) {
  std::string_view rest = text.starts_with('+') ? text.substr(1) : text;
  double pawns = 0;
  const auto [end, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), pawns, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(pawns)) return std::nullopt;
  text = rest.substr(static_cast<std::size_t>(end - rest.data()));
  return static_cast<int>(std::lround(std::clamp(100 * pawns, -1.0 * kMaxEval, 1.0 * kMaxEval)));
}

std::optional<int> eval_in_comment(std::string_view comment, Color mover) {
  constexpr std::string_view kCommand = "[%eval ";
  const std::size_t begin = comment.find(kCommand);
  if (begin == std::string_view::npos) return std::nullopt;
  std::string_view text = comment.substr(begin + kCommand.size());
  text = text.substr(0, text.find_first_of("],"));  // a depth may follow the comma
  const int sign = mover == Color::White ? 1 : -1;
  if (text.starts_with('#')) {
    const auto moves = to_number(text.substr(1));
    return moves ? mate_score(sign * *moves) : std::nullopt;
  }
  const auto score = take_pawns(text);
  if (!score || !text.empty()) return std::nullopt;
  return sign * *score;
}

/// Cute Chess: the comment begins with `+0.35/8` or `-M4/12`.
std::optional<int> note_in_comment(std::string_view comment) {
  const std::size_t slash = comment.find('/');
  if (slash == std::string_view::npos || slash + 1 >= comment.size() || comment[slash + 1] < '0' ||
      comment[slash + 1] > '9')
    return std::nullopt;
  std::string_view text = comment.substr(0, slash);
  const std::size_t mate = text.find('M');
  if (mate != std::string_view::npos && mate <= 1) {
    const auto moves = to_number(text.substr(mate + 1));
    return moves ? mate_score(text.starts_with('-') ? -*moves : *moves) : std::nullopt;
  }
  if (text.find('.') == std::string_view::npos) return std::nullopt;  // "1/2" is no score
  const auto score = take_pawns(text);
  return score && text.empty() ? score : std::nullopt;
}

std::string_view termination_tag(Termination termination) {
  return termination < Termination::AdjudicatedWin ? "normal" : "adjudication";
}

std::optional<int> result_of(std::string_view text) {
  if (text == "1-0") return 1;
  if (text == "0-1") return -1;
  if (text == "1/2-1/2") return 0;
  return std::nullopt;
}

template <VariantRules R>
Result<GameRecord> record_of(const PgnGame& pgn) {
  for (const std::string_view end : kFaultyEnds)
    if (pgn.tag("Termination") == end)
      return Failure{fmt::format("ended by \"{}\", which says nothing about its positions", end)};
  GameRecord game;
  game.start_fen = pgn.start_fen;
  if (const auto seed = pgn.tag("GameSeed"); !seed.empty())
    std::from_chars(seed.data(), seed.data() + seed.size(), game.game_seed);
  const Result<Board> start = parse_fen<R>(pgn.start_fen);
  if (!start) return Failure{start.reason()};
  Color mover = start->side_to_move;
  std::size_t scored_from = pgn.moves.size();
  for (const PgnMove& played : pgn.moves) {
    const std::size_t ply = game.moves.size();
    const auto score = score_in_comment(played.comment, mover);
    if (score) scored_from = std::min(scored_from, ply);
    if (score && played.comment.find(kExploratory) != std::string::npos && ply < kMaxGamePlies)
      game.exploratory_plies.push_back(static_cast<std::uint16_t>(ply));
    game.moves.push_back(played.move);
    game.scores_cp_stm.push_back(score ? static_cast<std::int16_t>(*score) : kNoScore);
    mover = ~mover;
  }
  // Without any score, nobody knows how many moves came from a book.
  if (scored_from < pgn.moves.size() && scored_from <= kMaxGamePlies)
    game.random_plies = static_cast<std::uint16_t>(scored_from);
  const bool at_ply_limit =
      !pgn.moves.empty() &&
      pgn.moves.back().comment.find(termination_name(Termination::PlyLimit)) != std::string::npos;
  if (const auto reason = settle_imported<R>(game, result_of(pgn.result), at_ply_limit))
    return Failure{*reason};
  return game;
}

}  // namespace

PgnGame to_pgn_game(const GameRecord& game, const ShardInfo& info, std::uint64_t number) {
  PgnGame pgn;
  pgn.variant = info.variant;
  pgn.start_fen = game.start_fen;
  pgn.result = game.result_white > 0 ? "1-0" : game.result_white < 0 ? "0-1" : "1/2-1/2";
  const std::string player = "farrier " + info.net.substr(0, 12);
  pgn.tags = {{"Event", fmt::format("farrier self-play, seed {}, generation {}", info.seed, info.generation)},
              {"Round", fmt::format("{}", number + 1)},
              {"White", player},
              {"Black", player},
              {"Termination", std::string(termination_tag(game.termination))},
              {"PlyCount", fmt::format("{}", game.moves.size())},
              {"GameSeed", fmt::format("{}", game.game_seed)}};
  with_rules(info.variant, [&]<VariantRules R>() {
    replay<R>(game, [&](const Board& board, Move move, std::int16_t score, std::size_t ply) {
      PgnMove played;
      played.move = move;
      if (score != kNoScore) played.comment = eval_text(score, board.side_to_move);
      if (ply < game.random_plies) played.comment = kRandom;
      if (game.is_exploratory(ply)) played.comment += fmt::format(" {}", kExploratory);
      pgn.moves.push_back(std::move(played));
    });
  });
  std::string& last = pgn.moves.empty() ? pgn.comment : pgn.moves.back().comment;
  last += (last.empty() ? "" : " ") + std::string(termination_name(game.termination));
  return pgn;
}

Result<GameRecord> from_pgn_game(const PgnGame& game) {
  return with_rules(game.variant, [&]<VariantRules R>() { return record_of<R>(game); });
}

std::optional<int> score_in_comment(std::string_view comment, Color mover) {
  if (const auto score = eval_in_comment(comment, mover)) return score;
  return note_in_comment(comment);
}

}  // namespace farrier
