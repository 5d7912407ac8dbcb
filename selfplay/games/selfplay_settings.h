// All that a run of self-play is asked to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/variants/variant.h"
#include "selfplay/games/game_runner.h"

namespace farrier {

/// Game i depends on seed, generation, i and what settings_text() tells; never on workers, folder or target.
struct SelfplaySettings {
  Variant variant = Variant::Crazyhouse;
  std::filesystem::path folder;
  std::uint64_t seed = 1;
  std::uint32_t generation = 0;
  std::optional<std::filesystem::path> net;  // none: material
  int material_noise_cp = 10;                // without a net only: see SearcherOptions
  GameSettings game;
  std::string book_hash;     // SHA-256 of the file from which game.openings.book was read
  std::size_t hash_mib = 2;  // small: it is cleared for every game
  int threads = 1;           // of a game's search; with more than one, games do not repeat
  int workers = 0;           // games at a time; 0: as many as the machine has threads for
  std::uint64_t games_per_shard = 1000;
  // The target; with both, the first one reached ends the run.
  std::optional<std::uint64_t> games;
  std::optional<std::uint64_t>
      positions;  // ends with the game, in the order of indices, that reaches this sum
};

/// What determines the games, as lines "key = value": frozen in the folder and stored in shards. `net` is
/// "material" or the net's hash.
std::string settings_text(const SelfplaySettings& settings, const std::string& net);

/// Throws UserError for a value out of range.
void require_valid(const SelfplaySettings& settings);

}  // namespace farrier
