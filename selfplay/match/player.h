// Who plays: the interface that a match asks for moves, and the player inside this process.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/chess/outcome.h"
#include "engine/nnue/net_file.h"
#include "engine/search/limits.h"
#include "engine/search/score.h"
#include "engine/search/searcher.h"
#include "selfplay/match/fault.h"
#include "selfplay/match/time_control.h"
#include "selfplay/match/uci_engine.h"

namespace farrier {

/// A player's answer in a position that has a legal move.
struct PlayerMove {
  Move move;
  std::optional<Score> score_cp_stm{};  // nothing is adjudicated on the word of a player who doesn't tell
  int depth = 0;
  std::uint64_t nodes = 0;
  std::chrono::nanoseconds elapsed{0};
  std::optional<Fault> fault{};  // then there is no move
  bool interrupted = false;      // nor here: the match was halted
};

/// What a player is told when it is his move.
template <VariantRules R>
struct Turn {
  const Game<R>& game;
  const std::string& start_fen;
  const std::string& moves;                           // from there, as UCI text
  std::array<std::optional<ClockReading>, 2> clocks;  // white's and black's
  const std::function<bool()>& halted;
};

/// One side of a match. A player belongs to one worker and plays one game at a time, either colour.
template <VariantRules R>
class Player {
 public:
  virtual ~Player() = default;
  /// Forgets the games before, so that a game depends on nothing but itself.
  virtual void new_game() = 0;
  /// Answers the game's present position.
  virtual PlayerMove choose(const Turn<R>& turn) = 0;
  /// The player has lost by a fault and starts the next game afresh. Tells the talk that led to it, if there
  /// was one.
  virtual std::string dismiss() { return {}; }
};

/// A player as the user asks for it: a net, material or a random mover inside this process, or an engine of its own process.
/// Limits hold together; at least one is set. With nodes or depth alone a player in this process repeats to
/// the node.
struct PlayerSpec {
  std::string name = "material";   // for people; two specs that differ in it alone play the same
  std::shared_ptr<const Net> net;  // null: material
  int material_noise_cp = 0;       // see SearcherOptions
  std::size_t hash_mib = 4;
  SearchParams params{};
  bool is_random = false;  // any legal move, each as likely; nothing else but the name matters then
  std::optional<EngineCommand> engine;  // then all above but the name don't matter

  /// Hard nodes make both sides' work equal; soft ones finish the iteration.
  std::optional<std::uint64_t> hard_nodes = 1000;
  std::optional<std::uint64_t> soft_nodes;
  std::optional<int> depth;
  std::optional<std::chrono::milliseconds> move_time;
  std::optional<TimeControl> clock;

  bool has_limit() const { return is_random || hard_nodes || soft_nodes || depth || move_time || clock; }
  /// Its moves depend on the machine and the hour, so their times are worth keeping.
  bool is_timed() const { return engine || move_time || clock; }
};

template <VariantRules R>
class SearchPlayer final : public Player<R> {
 public:
  /// A search ends early, without an answer, once `stop` is set; it may be null.
  explicit SearchPlayer(const PlayerSpec& spec, const std::atomic<bool>* stop = nullptr);
  void new_game() override;
  PlayerMove choose(const Turn<R>& turn) override;

 private:
  bool is_stopped() const { return stop_ != nullptr && *stop_; }

  Searcher<R> searcher_;
  SearchControl control_;
  SearchLimits limits_;
  const std::atomic<bool>* stop_;
  bool is_long_;  // a search may last long enough to be ended on the way
};

/// Plays any legal move, the same one whenever a game under its seed comes to the same moves. The floor of every
/// rating list.
template <VariantRules R>
class RandomPlayer final : public Player<R> {
 public:
  explicit RandomPlayer(std::uint64_t seed) : seed_(seed) {}
  void new_game() override {}
  PlayerMove choose(const Turn<R>& turn) override;

 private:
  std::uint64_t seed_;
};

/// What a net plays by, in 16 hex digits ("material" for none): journals know a net by it, not by its path.
std::string net_identity(const Net* net);

}  // namespace farrier
