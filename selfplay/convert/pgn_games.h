// Recorded games as PGN and back, the scores in comments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/chess/pgn.h"
#include "engine/chess/types.h"
#include "selfplay/data/game_record.h"
#include "selfplay/data/shard_info.h"

namespace farrier {

/// Scores stand as `[%eval 0.35]`, `[%eval #-3]`: pawns or moves to mate from White's side, as lichess and
/// python-chess have them. Throws UserError for a game that breaks the rules.
PgnGame to_pgn_game(const GameRecord& game, const ShardInfo& info, std::uint64_t number);

/// A record of that game, or why it can't be one. The score of a move is read from `[%eval ...]` (White's side) or from
/// Cute Chess's `+0.35/8`, `-M4/12` (the mover's side).
Result<GameRecord> from_pgn_game(const PgnGame& game);

/// The score that a comment tells of the move before it, from the mover's side.
std::optional<int> score_in_comment(std::string_view comment, Color mover);

}  // namespace farrier
