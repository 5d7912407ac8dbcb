// A player in a process of its own.
#pragma once

#include <memory>

#include "selfplay/match/latency_histogram.h"
#include "selfplay/match/player.h"

namespace farrier {

/// What a match grants an engine besides its limits.
struct EngineTerms {
  std::optional<int> core;                 // to run on
  std::chrono::milliseconds stall{10000};  // an answer that is later than its time by this much never comes
  LatencyHistogram* latency = nullptr;     // of ours; may be null
  /// Told what an engine remarks on its set-up, such as an option that it refused; may be empty.
  std::function<void(const std::string&)> on_remark;
};

template <VariantRules R>
class ExternalPlayer final : public Player<R> {
 public:
  /// Starts the engine. Throws UserError if it can't be set up for these rules.
  ExternalPlayer(const PlayerSpec& spec, const EngineTerms& terms);

  /// Starts the engine again if it is gone. What goes wrong costs the game, at the player's first move; an
  /// engine that never comes back throws UserError.
  void new_game() override;
  PlayerMove choose(const Turn<R>& turn) override;
  std::string dismiss() override;

 private:
  void start();

  PlayerSpec spec_;
  EngineTerms terms_;
  std::unique_ptr<UciEngine> engine_;  // null: to be started
  std::optional<Fault> fault_;         // met before the game
  bool starts_game_ = false;
  int failed_starts_ = 0;
};

}  // namespace farrier
