// Who plays: the interface that a match asks for moves, and the player inside this process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/chess/outcome.h"
#include "engine/nnue/net_file.h"
#include "engine/search/limits.h"
#include "engine/search/score.h"
#include "engine/search/searcher.h"

namespace farrier {

/// A player's answer in a position that has a legal move.
struct PlayerMove {
  Move move;
  Score score_cp_stm = 0;  // a player who can't tell says 0, and nothing is adjudicated on his word
  std::uint64_t nodes = 0;
};

/// One side of a match. A player belongs to one worker and plays one game at a time, either colour.
template <VariantRules R>
class Player {
 public:
  virtual ~Player() = default;
  /// Forgets the games before, so that a game depends on nothing but itself.
  virtual void new_game() = 0;
  /// Answers the game's present position.
  virtual PlayerMove choose(const Game<R>& game) = 0;
};

/// A net, or material, searching a fixed number of nodes per move on one thread: it repeats to the node.
struct PlayerSpec {
  std::string name = "material";   // for people; two specs that differ in it alone play the same
  std::shared_ptr<const Net> net;  // null: material
  int material_noise_cp = 0;       // see SearcherOptions
  /// At least one is set. Hard nodes make both sides' work equal; soft ones finish the iteration.
  std::optional<std::uint64_t> hard_nodes = 1000;
  std::optional<std::uint64_t> soft_nodes;
  std::size_t hash_mib = 4;
};

template <VariantRules R>
class SearchPlayer final : public Player<R> {
 public:
  explicit SearchPlayer(const PlayerSpec& spec);
  void new_game() override;
  PlayerMove choose(const Game<R>& game) override;

 private:
  Searcher<R> searcher_;
  SearchLimits limits_;
};

/// What a net plays by, in 16 hex digits ("material" for none): journals know a net by it, not by its path.
std::string net_identity(const Net* net);

}  // namespace farrier
