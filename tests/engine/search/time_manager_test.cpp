// How a clock is shared out.
#include "engine/search/time_manager.h"

#include <gtest/gtest.h>

namespace farrier {
namespace {

SearchLimits limits_for(std::int64_t time_ms, std::int64_t increment_ms, int moves_to_go = 0,
                        std::int64_t overhead_ms = 10) {
  SearchLimits limits;
  set_time_limits(limits, {time_ms, increment_ms, moves_to_go}, overhead_ms);
  return limits;
}

TEST(TimeManager, WithoutAClockThereAreNoTimeLimits) {
  SearchLimits limits;
  set_time_limits(limits, {}, 10);
  EXPECT_FALSE(limits.soft_time_ms);
  EXPECT_FALSE(limits.hard_time_ms);
}

TEST(TimeManager, NoMoveMayTakeWhatTheClockDoesNotHold) {
  for (std::int64_t time : {1, 2, 5, 11, 20, 50, 200, 1000, 60'000, 36'000'000})
    for (std::int64_t increment : {0, 2, 10, 1000, 60'000})
      for (int moves : {0, 1, 2, 40, 1000}) {
        const SearchLimits limits = limits_for(time, increment, moves);
        EXPECT_GE(*limits.soft_time_ms, 1);
        EXPECT_GE(*limits.hard_time_ms, 1);
        EXPECT_LE(*limits.soft_time_ms, std::max<std::int64_t>(time - 10, 1)) << time << '+' << increment;
        EXPECT_LE(*limits.hard_time_ms, std::max<std::int64_t>(time - 10, 1)) << time << '+' << increment;
      }
}

TEST(TimeManager, AnOverdrawnOrAbsurdClockStillGivesAMove) {
  for (std::int64_t time : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()})
    EXPECT_EQ(*limits_for(time, 0).hard_time_ms, 1) << time;
  const SearchLimits limits =
      limits_for(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max());
  EXPECT_GT(*limits.soft_time_ms, 0);
  EXPECT_GT(*limits.hard_time_ms, 0);
}

TEST(TimeManager, AWholeGameAtItsSoftLimitsKeepsMostOfTheIncrement) {
  // 200 moves at 60 s + 0.6 s: the clock falls towards a level that the increments keep up.
  std::int64_t time = 60'000;
  for (int move = 0; move < 200; ++move) {
    time -= *limits_for(time, 600).soft_time_ms * 13 / 10;
    ASSERT_GT(time, 0) << move;
    time += 600;
  }
  EXPECT_LT(time, 20'000);  // and the time was used
}

TEST(TimeManager, AtTinyIncrementsTheClockKeepsACushionAgainstLateWakeUps) {
  // 1 s + 10 ms, and 4 ms lost on every move beside the search.
  std::int64_t time = 1000;
  for (int move = 0; move < 300; ++move) {
    time -= *limits_for(time, 10).soft_time_ms * 13 / 10 + 4;
    ASSERT_GT(time, 80) << move;
    time += 10;
  }
}

TEST(TimeManager, AShortClockThatLosesMoreThanItGainsLastsSixtyMoves) {
  // 0.2 s + 2 ms, and 2 ms lost on every move beside the search.
  std::int64_t time = 200;
  for (int move = 0; move < 60; ++move) {
    time -= *limits_for(time, 2).soft_time_ms + 2;
    ASSERT_GT(time, 20) << move;
    time += 2;
  }
}

TEST(TimeManager, TheLastMoveOfASessionMayUseMostOfTheClock) {
  EXPECT_GT(*limits_for(10'000, 0, 1).soft_time_ms, 5'000);
  EXPECT_GT(*limits_for(10'000, 0, 1).hard_time_ms, 7'000);
}

TEST(MoveStability, ASettledMoveTakesLessTimeThanAChangingOne) {
  const Move a = Move::normal(make_square(4, 1), make_square(4, 3));
  const Move b = Move::normal(make_square(3, 1), make_square(3, 3));
  MoveStability settled, changing;
  for (int i = 0; i < 10; ++i) {
    settled.observe(a, 20);
    changing.observe(i % 2 == 0 ? a : b, 20);
  }
  EXPECT_LT(settled.time_factor(), 0.8);
  EXPECT_GT(changing.time_factor(), 1.2);
}

TEST(MoveStability, AFallingScoreTakesMoreTime) {
  const Move a = Move::normal(make_square(4, 1), make_square(4, 3));
  MoveStability level, falling;
  level.observe(a, 20);
  level.observe(a, 20);
  falling.observe(a, 20);
  falling.observe(a, -30);
  EXPECT_GT(falling.time_factor(), level.time_factor() * 1.3);
}

}  // namespace
}  // namespace farrier
