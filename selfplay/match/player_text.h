// Players as the user types them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "selfplay/match/player.h"

namespace farrier {

/// Limits that hold for every player who brings none of his own.
struct CommonPlayerSettings {
  PlayerSpec spec;    // hash, noise and limits; the rest is not read
  bool soft = false;  // see the key "soft"
};

/// Reads "material", "random", "new.fnn", "new.fnn tc=1+0.01 hash=16" or
/// "cmd=/usr/games/fairy-stockfish option.Hash=16 name=fsf dir=/tmp args='-x -y' nodes=1000". Words with blanks
/// stand in quotes. Reads the net's file. Throws WrongCall that names the word.
PlayerSpec parse_player(std::string_view text, const CommonPlayerSettings& common);

/// The words of a line, quotes ('...' or "...") taken off: `option.Log="a b"` is one word. Throws WrongCall for
/// a quote that never ends.
std::vector<std::string> split_words(std::string_view text);

/// What "nodes" means with "soft": the iteration in which they are reached is finished, unless it explodes.
void make_nodes_soft(PlayerSpec& spec);

}  // namespace farrier
