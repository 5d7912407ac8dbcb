#include "selfplay/records/show.h"

#include <cctype>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/chess/san.h"
#include "engine/variants/dispatch.h"
#include "selfplay/data/replay.h"

namespace farrier {
namespace {

/// "+0.35", "#4", "#-2": from the mover's side.
std::string score_text(int score_cp_stm) {
  if (is_mate_score(score_cp_stm)) return fmt::format("#{}", moves_to_mate(score_cp_stm));
  return fmt::format("{:+.2f}", score_cp_stm / 100.0);
}

std::string hand_text(const Board& board, Color c) {
  std::string text;
  for (const PieceType t :
       {PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight, PieceType::Pawn})
    for (int i = 0; i < board.in_hand(c, t); ++i)
      text += fmt::format(" {}", static_cast<char>(std::toupper(piece_letter(t))));
  return text.empty() ? " nothing" : text;
}

template <VariantRules R>
std::string board_text(const Board& board) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    text += fmt::format("  {} ", rank + 1);
    for (int file = 0; file < 8; ++file) {
      const Piece piece = board.at(make_square(file, rank));
      const char letter = piece.is_none() ? '.' : piece_letter(piece.type());
      text += ' ';
      text += piece.color() == Color::White ? static_cast<char>(std::toupper(letter)) : letter;
      text += piece.promoted() ? '~' : ' ';
    }
    if (R::kHasDrops && rank == 7) text += "   black holds" + hand_text(board, Color::Black);
    if (R::kHasDrops && rank == 0) text += "   white holds" + hand_text(board, Color::White);
    text += '\n';
  }
  return text + "     a  b  c  d  e  f  g  h\n";
}

std::string result_text(const GameRecord& game) {
  const std::string_view how = termination_name(game.termination);
  if (game.result_white == 0) return fmt::format("drawn by {}", how);
  return fmt::format("{} won by {}", game.result_white > 0 ? "white" : "black", how);
}

template <VariantRules R>
std::string game_text(const GameRecord& game, std::uint64_t plies_shown) {
  std::string text;
  Board shown = parse_fen<R>(game.start_fen).value_or_throw("start FEN of a recorded game");
  const auto add_cell = [&](const Board& board, Move move, std::int16_t score, std::size_t ply) {
    const bool white = board.side_to_move == Color::White;
    if (white || ply == 0) text += fmt::format("{:>4}.{}", board.fullmove_number, white ? " " : "..  ");
    if (!white && ply == 0) text += fmt::format("{:<22}", "");
    std::string label = score == kNoScore ? (ply < game.random_plies ? "random" : "") : score_text(score);
    if (game.is_exploratory(ply)) label += " ~";
    const std::string cell = fmt::format("{:<9}{:<13}", to_san<R>(board, move), label);
    text += white ? cell : cell.substr(0, cell.find_last_not_of(' ') + 1) + "\n";
  };
  const Board end = replay<R>(game, [&](const Board& board, Move move, std::int16_t score, std::size_t ply) {
    if (ply == plies_shown) shown = board;
    add_cell(board, move, score, ply);
  });
  if (plies_shown == game.moves.size()) shown = end;
  if (!text.empty() && text.back() != '\n') text += '\n';
  return fmt::format("{}\nafter {} plies, {} to move\n\n{}\n{}\n", text, plies_shown,
                     shown.side_to_move == Color::White ? "white" : "black", board_text<R>(shown),
                     to_fen<R>(shown));
}

}  // namespace

std::string show_game(const ShardCatalogue& catalogue, std::uint64_t number,
                      std::optional<std::uint64_t> ply) {
  if (number >= catalogue.games)
    throw UserError("--game", fmt::format("there are {} games, counted from 0", catalogue.games));
  std::size_t k = 0;
  while (number >= catalogue.shards[k].first_in_set + catalogue.shards[k].games) ++k;
  const ShardEntry& shard = catalogue.shards[k];
  GameReader reader(shard.path);
  reader.seek(number - shard.first_in_set);
  GameRecord game;
  reader.next(game);
  if (ply.value_or(0) > game.moves.size())
    throw UserError("--ply", fmt::format("this game has {} plies", game.moves.size()));

  std::string text = fmt::format("game {} of {}, number {} of {}\n", number, catalogue.games,
                                 number - shard.first_in_set, shard.path.string());
  text += fmt::format("{}, {} plies, {}; played by {}, game seed {}\n", variant_name(catalogue.variant),
                      game.moves.size(), result_text(game), shard.info.net.substr(0, 12), game.game_seed);
  text += fmt::format("scores in pawns from the mover's side{}\n\n",
                      game.exploratory_plies.empty() ? "" : "; ~ marks an exploratory move");
  return text + with_rules(catalogue.variant, [&]<VariantRules R>() {
           return game_text<R>(game, ply.value_or(game.moves.size()));
         });
}

}  // namespace farrier
