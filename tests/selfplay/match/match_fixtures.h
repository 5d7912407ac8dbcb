// Matches without search, for what doesn't depend on chess: pairs whose results follow from seed and index.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/nnue/features.h"
#include "selfplay/match/match_runner.h"

namespace farrier {

/// A pair of short made-up games, A scoring with about 55%.
inline MatchPair made_up_pair(std::uint64_t seed, std::int64_t index) {
  Rng rng(derive_seed(seed, 0, static_cast<std::uint64_t>(index)));
  MatchPair pair{.index = index, .start_fen = "start", .opening = "e2e4 c7c5", .games = {}};
  for (MatchGame& game : pair.games) {
    const std::uint32_t roll = rng.below(100);
    game.result_a = roll < 45 ? 1 : roll < 65 ? 0 : -1;
    game.termination = game.result_a == 0 ? Termination::Repetition : Termination::Checkmate;
    game.moves = "g1f3 d7d6";
    game.searches = {1, 1};
    game.nodes = {900 + rng.below(200), 1000};
  }
  return pair;
}

inline PairPlayer made_up_player(std::uint64_t seed) {
  return [seed](std::int64_t index, const std::function<bool()>& halted) -> std::optional<MatchPair> {
    if (halted()) return std::nullopt;
    return made_up_pair(seed, index);
  };
}

/// A net of the smallest width with small random weights: it plays badly, and never the same as material.
inline Net random_net(Variant variant, std::uint64_t seed) {
  constexpr std::size_t kWidth = 16;
  Rng rng(seed);
  const auto weights = [&rng](std::size_t count) {
    Weights values(count);
    for (std::int16_t& value : values)
      value = static_cast<std::int16_t>(static_cast<int>(rng.below(41)) - 20);
    return values;
  };
  Net net;
  net.variant = variant;
  net.architecture.hidden = static_cast<int>(kWidth);
  net.feature_bias = weights(kWidth);
  net.feature_weights = weights(static_cast<std::size_t>(feature_count(variant)) * kWidth);
  net.layers.push_back({2 * kWidth, 1, weights(2 * kWidth), {0}});
  return net;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The one sentence with which `act` is refused; empty if it isn't.
template <class Act>
std::string refusal_of(Act&& act) {
  try {
    act();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

/// Gives each test a folder of its own.
class MatchTest : public testing::Test {
 protected:
  MatchTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("farrier-" + std::to_string(::getpid()) + "-" + test->test_suite_name() + "-" + test->name());
    std::filesystem::create_directories(folder_);
  }
  ~MatchTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

}  // namespace farrier
