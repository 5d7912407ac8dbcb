#include "selfplay/match/match_pgn.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "engine/base/error.h"
#include "engine/chess/fen.h"
#include "engine/chess/notation.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// "+0.31", "-M4": from the mover's side.
std::string score_text(Score score) {
  if (is_mate_score(score))
    return fmt::format("{}M{}", score > 0 ? '+' : '-', std::abs(moves_to_mate(score)));
  return fmt::format("{:+.2f}", score / 100.0);
}

/// "+0.31/12 0.450s", or as much of it as is known.
std::string note_text(const MoveNote& note) {
  std::string text;
  if (note.score_cp_stm) text = fmt::format("{}/{}", score_text(*note.score_cp_stm), note.depth);
  if (note.time_us > 0)
    text += fmt::format("{}{:.3f}s", text.empty() ? "" : " ", static_cast<double>(note.time_us) / 1e6);
  return text;
}

/// The tag's value by the PGN standard; the particulars stand in the last comment.
std::string_view termination_tag(Termination termination) {
  switch (termination) {
    case Termination::AdjudicatedWin:
    case Termination::AdjudicatedDraw:
    case Termination::PlyLimit:
      return "adjudication";
    case Termination::TimeForfeit:
      return "time forfeit";
    case Termination::IllegalMove:
    case Termination::ProtocolError:
      return "rules infraction";
    case Termination::Stall:
    case Termination::Crash:
      return "abandoned";
    default:
      return "normal";
  }
}

/// "1+0.01", or "-" for a player without a clock.
std::string clock_text(const PlayerSpec& spec) { return spec.clock ? to_text(*spec.clock) : "-"; }

template <VariantRules R>
std::vector<PgnMove> replay(const MatchPair& pair, const MatchGame& game, const std::string& place) {
  Board board = parse_fen<R>(pair.start_fen).value_or_throw(place);
  Game<R> position(board);
  std::vector<PgnMove> moves;
  const auto play = [&](const std::string& texts, const auto& comment_of) {
    std::istringstream words(texts);
    std::size_t number = 0;
    for (std::string text; words >> text; ++number) {
      PgnMove move;
      move.move = parse_uci_move<R>(position.board(), text).value_or_throw(place);
      move.comment = comment_of(number);
      position.play(move.move);
      moves.push_back(std::move(move));
    }
  };
  play(pair.opening, [](std::size_t) { return std::string("book"); });
  play(game.moves, [&](std::size_t number) {
    return number < game.notes.size() ? note_text(game.notes[number]) : std::string();
  });
  return moves;
}

/// What the Termination tag has no word for: "Black loses by illegal move: e2e5 is not legal".
std::string end_text(const MatchGame& game, int result_white) {
  std::string text(termination_name(game.termination));
  if (is_fault(game.termination))
    text = fmt::format("{} loses by {}: {}", result_white > 0 ? "Black" : "White", text, game.fault);
  return text;
}

}  // namespace

PgnGame pgn_of(const MatchSettings& settings, const MatchPair& pair, int round) {
  const MatchGame& game = pair.games[static_cast<std::size_t>(round)];
  const PlayerSpec& white = round == 0 ? settings.a : settings.b;
  const PlayerSpec& black = round == 0 ? settings.b : settings.a;
  const int result_white = round == 0 ? game.result_a : -game.result_a;

  PgnGame pgn;
  pgn.variant = settings.variant;
  pgn.start_fen = pair.start_fen;
  pgn.result = result_white > 0 ? "1-0" : result_white < 0 ? "0-1" : "1/2-1/2";
  pgn.tags = {
      {"Event", fmt::format("farrier match, seed {}", settings.seed)},
      {"Round", fmt::format("{}{}.{}", settings.pairing > 0 ? fmt::format("{}.", settings.pairing) : "",
                            pair.index + 1, round + 1)},
      {"White", white.name},
      {"Black", black.name}};
  if (clock_text(white) == clock_text(black)) {
    pgn.tags.emplace_back("TimeControl", clock_text(white));
  } else {
    pgn.tags.emplace_back("WhiteTimeControl", clock_text(white));
    pgn.tags.emplace_back("BlackTimeControl", clock_text(black));
  }
  pgn.tags.emplace_back("Termination", termination_tag(game.termination));
  pgn.moves = with_rules(settings.variant, [&]<VariantRules R>() {
    return replay<R>(pair, game, fmt::format("pair {} of the journal", pair.index));
  });
  pgn.tags.emplace_back("PlyCount", fmt::format("{}", pgn.moves.size()));
  std::string& last = pgn.moves.empty() ? pgn.comment : pgn.moves.back().comment;
  last += (last.empty() ? "" : ", ") + end_text(game, result_white);
  return pgn;
}

std::string match_pgn_text(const MatchSettings& settings, std::vector<MatchPair> pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const MatchPair& a, const MatchPair& b) { return a.index < b.index; });
  std::string text;
  for (const MatchPair& pair : pairs)
    for (int round = 0; round < 2; ++round) text += to_pgn(pgn_of(settings, pair, round));
  return text;
}

}  // namespace farrier
