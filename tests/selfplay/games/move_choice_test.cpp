// The limits of a move's search, and the draw among the best moves.
#include "selfplay/games/move_choice.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace farrier {
namespace {

TEST(NodeSchedule, GoesEvenlyFromTheFirstLimitToTheLateOne) {
  Rng rng(1);
  NodeSchedule schedule;
  schedule.soft_nodes = 1000;
  EXPECT_EQ(schedule.soft_limit(300, rng), 1000u);
  schedule.late_soft_nodes = 200;
  schedule.late_ply = 80;
  EXPECT_EQ(schedule.soft_limit(0, rng), 1000u);
  EXPECT_EQ(schedule.soft_limit(40, rng), 600u);
  EXPECT_EQ(schedule.soft_limit(80, rng), 200u);
  EXPECT_EQ(schedule.soft_limit(300, rng), 200u);
}

TEST(NodeSchedule, DrawsWithinItsSpreadAndRepeatsWithTheSeed) {
  NodeSchedule schedule;
  schedule.soft_nodes = 1000;
  schedule.spread = 0.5;
  std::set<std::uint64_t> seen;
  Rng rng(2), same(2);
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t nodes = schedule.soft_limit(i, rng);
    EXPECT_EQ(nodes, schedule.soft_limit(i, same));
    EXPECT_GE(nodes, 500u);
    EXPECT_LE(nodes, 1500u);
    seen.insert(nodes);
    sum += static_cast<double>(nodes);
  }
  EXPECT_GT(seen.size(), 500u);
  EXPECT_NEAR(sum / 1000, 1000, 30);
}

TEST(NodeSchedule, MayLimitTheDepthAlone) {
  Rng rng(3);
  NodeSchedule schedule;
  schedule.soft_nodes = 0;
  schedule.depth = 4;
  const SearchLimits limits = schedule.limits(0, rng);
  EXPECT_FALSE(limits.soft_nodes || limits.hard_nodes);
  EXPECT_EQ(limits.depth, 4);
}

TEST(Exploration, DrawsByTemperatureAndNeverBeyondTheLoss) {
  ExplorationSettings settings;
  settings.temperature_cp = 50;
  settings.max_loss_cp = 100;
  std::vector<SearchReport> lines(4);
  const std::array<Score, 4> scores{30, 30, -20, -71};
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].score_cp_stm = scores[i];
  std::array<int, 4> drawn{};
  Rng rng(4);
  for (int i = 0; i < 20000; ++i) ++drawn[draw_line(lines, settings, rng)];
  EXPECT_EQ(drawn[3], 0);
  // Weights 1, 1 and 1/e.
  EXPECT_NEAR(drawn[0], 20000 / 2.3679, 400);
  EXPECT_NEAR(drawn[1], 20000 / 2.3679, 400);
  EXPECT_NEAR(drawn[2], 20000 * 0.3679 / 2.3679, 300);
}

}  // namespace
}  // namespace farrier
