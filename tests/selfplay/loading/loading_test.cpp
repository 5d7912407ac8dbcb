// Loading: what training sees is what the records say, each position once, in an order that the seed alone decides.
#include <gtest/gtest.h>

#include <malloc.h>

#include <algorithm>
#include <map>
#include <set>

#include "selfplay/data/replay.h"
#include "selfplay/loading/playable.h"
#include "tests/selfplay/loading/loading_testing.h"

namespace farrier {
namespace {

template <class R>
class Loading : public testing::Test {};
using AllRules = testing::Types<StandardRules, Crazyhouse, Knightmate, PocketKnight>;
TYPED_TEST_SUITE(Loading, AllRules);

TYPED_TEST(Loading, EveryLegalMoveIsPlayable) {
  for (const GameRecord& game : random_games<TypeParam>(10, 51))
    replay<TypeParam>(game, [](const Board& board, Move, std::int16_t, std::size_t) {
      for (Move move : legal_moves<TypeParam>(board)) ASSERT_TRUE(is_playable<TypeParam>(board, move));
    });
}

TYPED_TEST(Loading, APlayableMoveNeverBreaksTheBoard) {
  Rng rng(52);
  int illegal = 0;
  for (const GameRecord& game : random_games<TypeParam>(5, 53))
    replay<TypeParam>(game, [&](const Board& board, Move, std::int16_t, std::size_t) {
      for (int tries = 0; tries < 3000; ++tries) {
        const Move move = Move::from_bits(static_cast<std::uint16_t>(rng.below(65536)));
        if (!is_playable<TypeParam>(board, move)) {
          ASSERT_FALSE(is_legal<TypeParam>(board, move));
          continue;
        }
        illegal += !is_legal<TypeParam>(board, move);
        const Board next = after<TypeParam>(board, move);
        ASSERT_EQ(next.key, next.fresh_key());
        for (Color c : {Color::White, Color::Black}) {
          ASSERT_EQ(next.men(c, PieceType::King).count(), 1);
          ASSERT_LE(next.in_hand(c, PieceType::Pawn), 16);
        }
        for (Square s : next.men(PieceType::Pawn)) ASSERT_TRUE(rank_of(s) != 0 && rank_of(s) != 7);
      }
    });
  EXPECT_GT(illegal, 0) << "the tries were too few to say anything";
}

TEST_F(LoadingShards, InOrderGiveWhatReplayGives) {
  const DataMix mix = mix_of(700);
  PassSettings settings;
  settings.shuffled = false;
  std::vector<Row> expected;
  for (const GameRecord& game : games_)
    replay<Crazyhouse>(game, [&](const Board& board, Move move, std::int16_t score, std::size_t) {
      if (score == kNoScore || is_check<Crazyhouse>(board) || is_noisy(board, move)) return;
      const Color stm = board.side_to_move;
      PackedPosition position = pack<Crazyhouse>(board);
      position.score_cp_stm = score;
      position.result_stm =
          static_cast<std::int8_t>(stm == Color::White ? game.result_white : -game.result_white);
      expected.push_back(row_of(position));
    });
  EXPECT_EQ(rows_of(mix, settings), expected);
}

TEST_F(LoadingShards, ComeInAnOrderThatTheSeedAloneDecides) {
  const DataMix mix = mix_of(1500);
  PassSettings settings;
  settings.seed = 5;
  settings.shuffle_positions = 4000;  // far fewer than there are
  const std::vector<Row> one = rows_of(mix, settings);
  for (int workers : {2, 3, 8}) {
    settings.workers = workers;
    ASSERT_EQ(rows_of(mix, settings), one) << workers << " workers";
  }
  settings.epoch = 1;
  const std::vector<Row> next = rows_of(mix, settings);
  EXPECT_NE(next, one);
  EXPECT_EQ(sorted(next), sorted(one)) << "each position once in every pass";
  settings.shuffled = false;
  EXPECT_EQ(sorted(rows_of(mix, settings)), sorted(one));
}

TEST_F(LoadingShards, AreMixedFarBeyondAGame) {
  const DataMix mix = mix_of(1500);
  PassSettings settings;
  settings.filters = no_filters();
  settings.shuffled = false;
  std::map<Row, std::size_t> place;
  for (const Row& row : rows_of(mix, settings)) place.emplace(row, place.size());
  settings.shuffled = true;
  const std::vector<Row> rows = rows_of(mix, settings);
  double distance = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    distance += std::abs(static_cast<double>(place.at(rows[i])) - static_cast<double>(place.at(rows[i - 1])));
  // A third of the whole is what a perfect shuffle gives on average.
  EXPECT_GT(distance / static_cast<double>(rows.size()), 0.28 * static_cast<double>(rows.size()));
}

TEST_F(LoadingShards, AreAllReadBeforeTheLastPositionsLeave) {
  const DataMix mix = mix_of(700);
  PassSettings settings;
  settings.shuffle_positions = 4000;
  std::size_t taken = 0, taken_before = 0;
  PassHooks hooks;
  hooks.all_read = [&] { taken_before = taken; };
  stream_positions(
      mix, settings, [&](const PackedPosition&) { return ++taken > 0; }, hooks);
  EXPECT_GT(taken_before, 0u);
  EXPECT_EQ(taken - taken_before, 4000u);
}

TEST_F(LoadingShards, StopWhenTheTakerHasEnough) {
  const DataMix mix = mix_of(700);
  for (int workers : {1, 4}) {
    PassSettings settings;
    settings.workers = workers;
    settings.shuffle_positions = 100;
    int taken = 0;
    stream_positions(mix, settings, [&](const PackedPosition&) { return ++taken < 1000; });
    EXPECT_EQ(taken, 1000);
  }
}

TEST_F(LoadingShards, AreSplitByGame) {
  const DataMix mix = mix_of(600);
  PassSettings settings;
  settings.filters = no_filters();
  settings.split.validation_share = 0.25;
  const auto all = sorted(rows_of(mix, settings));
  settings.part = DataPart::Training;
  auto parts = rows_of(mix, settings);
  const std::size_t training = parts.size();
  settings.part = DataPart::Validation;
  const auto validation = rows_of(mix, settings);
  EXPECT_NEAR(static_cast<double>(validation.size()) / static_cast<double>(all.size()), 0.25, 0.06);
  parts.insert(parts.end(), validation.begin(), validation.end());
  EXPECT_EQ(sorted(parts), all);

  const DataInspection seen = inspect(mix, settings.filters, settings.split, 2);
  EXPECT_EQ(seen.games, 600);
  EXPECT_EQ(seen.training_positions, static_cast<std::int64_t>(training));
  EXPECT_EQ(seen.validation_positions, static_cast<std::int64_t>(validation.size()));
}

TEST_F(LoadingShards, AreUsedAsOftenAsTheirWeightSays) {
  const DataMix once = mix_of(800);
  PassSettings settings;
  std::map<Row, int> uses;
  for (const Row& row : rows_of(once, settings)) ++uses[row];
  const double positions = static_cast<double>(rows_of(once, settings).size());

  for (double weight : {0.5, 2.0, 2.25}) {
    const DataMix mix(Variant::Crazyhouse, {{{folder_}, weight}});
    const auto rows = rows_of(mix, settings);
    EXPECT_NEAR(static_cast<double>(rows.size()) / positions, weight, 0.08) << weight;
    std::map<Row, int> now;
    for (const Row& row : rows) ++now[row];
    for (const auto& [row, times] : now) {
      ASSERT_GE(times, uses.at(row) * static_cast<int>(weight));
      ASSERT_LE(times, uses.at(row) * static_cast<int>(weight + 0.99));
    }
    EXPECT_EQ(rows_of(mix, settings), rows) << "the same games in every pass";
  }
  EXPECT_THROW(DataMix(Variant::Crazyhouse, {{{folder_}, 0}}), UserError);
  EXPECT_THROW(DataMix(Variant::Chess, {{{folder_}, 1}}), UserError);
}

TEST_F(LoadingShards, TheFingerprintChangesWithGamesFiltersAndWeight) {
  const DataMix mix = mix_of(300);
  const auto fingerprint = [](const DataMix& m, const PositionFilters& filters, int workers) {
    return inspect(m, filters, {0.1}, workers).fingerprint;
  };
  std::set<std::uint64_t> seen{fingerprint(mix, {}, 1)};
  EXPECT_EQ(fingerprint(mix, {}, 4), *seen.begin());
  seen.insert(fingerprint(mix, no_filters(), 1));
  seen.insert(fingerprint(DataMix(Variant::Crazyhouse, {{{folder_}, 0.5}}), {}, 1));
  seen.insert(fingerprint(mix_of(299), {}, 1));
  EXPECT_EQ(seen.size(), 4u);
}

TEST_F(LoadingShards, WithAnIllegalMoveAreRefusedByName) {
  GameRecord game = random_game<Crazyhouse>(1);
  game.moves[4] = Move::normal(Square::A1, Square::H8);
  ShardInfo info;
  info.variant = Variant::Crazyhouse;
  write_shard(folder_ / shard_name(0), info, std::vector<GameRecord>{random_game<Crazyhouse>(2), game});
  const DataMix mix(Variant::Crazyhouse, {{{folder_}, 1}});
  for (int workers : {1, 3}) {
    try {
      inspect(mix, {}, {0.1}, workers);
      FAIL() << "no error";
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("shard-000000.h5"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("illegal move at ply 4"), std::string::npos) << error.what();
    }
    PassSettings settings;
    settings.workers = workers;
    EXPECT_THROW(stream_positions(mix, settings, [](const PackedPosition&) { return true; }), UserError);
  }
}

/// What the process holds, in bytes. What its heap takes beyond that, in gaps, differs by chance.
std::size_t held_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST_F(LoadingShards, TakeNoMoreMemoryWhenThereAreMore) {
  if (held_bytes() == 0) GTEST_SKIP() << "the heap is not glibc's";
  // The most that is held at any time of a look at the data and a pass over them.
  const auto peak_of = [this](int shards) {
    const DataMix mix = mix_of_alike_shards(shards);
    const std::size_t before = held_bytes();
    std::size_t peak = before, seen = 0;
    const auto see = [&] {
      constexpr std::size_t kBetween = 64;  // a block has thousands
      if (seen++ % kBetween == 0) peak = std::max(peak, held_bytes());
      return true;
    };
    PassSettings settings;
    settings.shuffle_positions = 1 << 14;
    KeptPositions kept(settings.filters, {0.1}, 0);
    inspect_data(mix, kept, 1, [&](int, int) { see(); });
    stream_positions(mix, settings, [&](const PackedPosition&) { return see(); });
    return peak - before;
  };
  const std::size_t little = peak_of(10);  // up to eight are open at once
  EXPECT_GT(little, std::size_t{1} << 20) << "less than the shuffle buffer";
  EXPECT_LT(peak_of(50), little + (std::size_t{1} << 18));
}

TEST(PositionFilter, LeavesOutExploratoryPliesAndCheckingDropsIfTold) {
  GameRecord game;
  game.moves = {Move::drop(PieceType::Queen, Square::A8), Move::drop(PieceType::Queen, Square::B1)};
  game.scores_cp_stm = {0, 0};
  game.exploratory_plies = {1};
  const Board board = parse_fen<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1").value_or_throw("FEN");
  FilterCounts counts;
  PositionFilters filters;
  EXPECT_TRUE(keeps<Crazyhouse>(filters, game, board, 0, counts));
  EXPECT_FALSE(keeps<Crazyhouse>(filters, game, board, 1, counts));
  EXPECT_EQ(counts.exploratory, 1);
  filters.exploratory = false;
  EXPECT_TRUE(keeps<Crazyhouse>(filters, game, board, 1, counts));
  filters.checking_drops = true;
  EXPECT_FALSE(keeps<Crazyhouse>(filters, game, board, 0, counts));
  EXPECT_TRUE(keeps<Crazyhouse>(filters, game, board, 1, counts));
  EXPECT_EQ(counts.checking_drops, 1);
  EXPECT_EQ(counts.plies, 5);
  EXPECT_EQ(counts.kept, 3);
}

}  // namespace
}  // namespace farrier
