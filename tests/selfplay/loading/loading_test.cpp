// Loading: what training sees is what the records say, each position once, in an order that the seed alone decides.
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>

#include "selfplay/data/game_writer.h"
#include "selfplay/data/replay.h"
#include "selfplay/data/shard_set.h"
#include "selfplay/loading/data_inspection.h"
#include "selfplay/loading/playable.h"
#include "selfplay/loading/position_stream.h"
#include "tests/selfplay/data/test_games.h"

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

/// A position as a line of numbers that can be compared and counted.
using Row = std::vector<int>;

Row row_of(const PackedPosition& position) {
  Row row{position.score_cp_stm, position.result_stm, index(position.side_to_move)};
  for (const auto& hand : position.hands) row.insert(row.end(), hand.begin(), hand.end());
  const Piece* man = position.men.data();
  for (Square s : position.occupied) row.insert(row.end(), {index(s), (man++)->bits()});
  return row;
}

std::vector<Row> rows_of(const DataMix& mix, const PassSettings& settings) {
  std::vector<Row> rows;
  stream_positions(mix, settings, [&](const PackedPosition& position) {
    rows.push_back(row_of(position));
    return true;
  });
  return rows;
}

std::vector<Row> sorted(std::vector<Row> rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

PositionFilters no_filters() {
  return {.in_check = false, .noisy = false, .exploratory = false, .max_score_cp = 32767};
}

DataInspection inspect(const DataMix& mix, const PositionFilters& filters, const GameSplit& split,
                       int workers) {
  KeptPositions kept(filters, split, 0);
  return inspect_data(mix, kept, workers, [](int, int) {});
}

/// Crazyhouse games in shards of 300, which is more than a block.
class LoadingShards : public testing::Test {
 protected:
  ~LoadingShards() override { std::filesystem::remove_all(folder_); }

  DataMix mix_of(int games, double weight = 1) {
    games_ = random_games<Crazyhouse>(games, 55);
    ShardInfo info;
    info.variant = Variant::Crazyhouse;
    for (std::size_t first = 0, k = 0; first < games_.size(); first += 300, ++k)
      write_shard(folder_ / shard_name(k), info,
                  std::vector<GameRecord>(
                      games_.begin() + static_cast<std::ptrdiff_t>(first),
                      games_.begin() + static_cast<std::ptrdiff_t>(std::min(first + 300, games_.size()))));
    return DataMix(Variant::Crazyhouse, {{{folder_}, weight}});
  }

  std::filesystem::path folder_ = make_test_folder();
  std::vector<GameRecord> games_;
};

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

/// Expects every pass with these kept positions to be the pass without them.
void expect_same_with(const KeptPositions& kept, const DataMix& mix) {
  PassSettings settings;
  settings.split = kept.split();
  for (const DataPart part : {DataPart::Training, DataPart::Validation, DataPart::All})
    for (const bool shuffled : {false, true}) {
      settings.part = part;
      settings.shuffled = shuffled;
      settings.kept = nullptr;
      const std::vector<Row> expected = rows_of(mix, settings);
      EXPECT_GT(expected.size(), 1000u);
      settings.kept = &kept;
      for (const int workers : {1, 3}) {
        settings.workers = workers;
        ASSERT_EQ(rows_of(mix, settings), expected);
      }
    }
}

TEST_F(LoadingShards, ComeTheSameFromMemoryAndAFileAsFromTheirGames) {
  mix_of(1500);
  const DataMix mix(Variant::Crazyhouse, {{{folder_}, 1.5}});
  constexpr std::size_t kAll = std::size_t{1} << 30, kSome = std::size_t{1} << 20;
  for (const std::size_t memory : {kAll, kSome, std::size_t{0}}) {
    for (const std::filesystem::path& scratch : {std::filesystem::path(), folder_}) {
      KeptPositions kept({}, {0.2}, memory, scratch);
      inspect_data(mix, kept, 2, [](int, int) {});
      EXPECT_LE(kept.bytes_in_memory(), memory);
      EXPECT_GE(kept.bytes_in_memory(), std::min(memory, kSome) / 2);
      EXPECT_EQ(kept.bytes_in_file() > 0, memory != kAll && !scratch.empty());
      EXPECT_EQ(kept.has_all(), memory == kAll || !scratch.empty());
      expect_same_with(kept, mix);
    }
  }
}

TEST_F(LoadingShards, AreKeptOnceWhateverTheirWeight) {
  mix_of(250);  // one block
  for (const int workers : {1, 4}) {
    KeptPositions once({}, {0.2}, 0, folder_), often({}, {0.2}, 0, folder_);
    inspect_data(DataMix(Variant::Crazyhouse, {{{folder_}, 1}}), once, workers, [](int, int) {});
    inspect_data(DataMix(Variant::Crazyhouse, {{{folder_}, 8}}), often, workers, [](int, int) {});
    EXPECT_GT(once.bytes_in_file(), 0u);
    EXPECT_EQ(often.bytes_in_file(), once.bytes_in_file());
    EXPECT_TRUE(often.has_all());
  }
}

TEST_F(LoadingShards, AreNotAskedAgainForPositionsThatAreKept) {
  mix_of(700);
  const DataMix mix(Variant::Crazyhouse, {{{folder_}, 1}});
  const auto scratch = make_test_folder();
  for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 30}) {
    KeptPositions kept({}, {0.2}, memory, scratch);
    inspect_data(mix, kept, 1, [](int, int) {});
    EXPECT_TRUE(std::filesystem::is_empty(scratch)) << "the file has no name";
    PassSettings settings;
    settings.split = kept.split();
    settings.part = DataPart::Training;
    const std::vector<Row> rows = rows_of(mix, settings);
    settings.kept = &kept;
    if (memory > 0) std::filesystem::remove_all(folder_);
    EXPECT_EQ(rows_of(mix, settings), rows);
  }
  std::filesystem::remove_all(scratch);
}

TEST_F(LoadingShards, AreReadAgainWhereTheScratchFolderTakesNoFile) {
  const DataMix mix = mix_of(1500);
  KeptPositions kept({}, {0.2}, 0, folder_ / "missing");
  inspect_data(mix, kept, 2, [](int, int) {});
  EXPECT_EQ(kept.bytes_in_file(), 0u);
  expect_same_with(kept, mix);
}

TEST_F(LoadingShards, AreReadAgainWhereTheDiskIsFull) {
  const DataMix mix = mix_of(1500);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = rlim_t{1} << 20;
  setrlimit(RLIMIT_FSIZE, &small);
  KeptPositions kept({}, {0.2}, 0, folder_);
  inspect_data(mix, kept, 2, [](int, int) {});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(kept.has_all());
  EXPECT_EQ(kept.bytes_in_file(), 0u) << "what was written makes room";
  expect_same_with(kept, mix);
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

/// Peak memory of a process of its own that does `work`, in KiB.
template <class F>
long peak_kib(F&& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  rusage usage{};
  int status = 1;
  wait4(child, &status, 0, &usage);
  EXPECT_EQ(status, 0);
  return usage.ru_maxrss;
}

TEST_F(LoadingShards, TakeNoMoreMemoryWhenThereAreMore) {
  mix_of(600);
  const auto pass = [this](double times) {
    return peak_kib([&] {
      const DataMix mix(Variant::Crazyhouse, {{{folder_}, times}});
      PassSettings settings;
      settings.shuffle_positions = 1 << 14;
      inspect(mix, settings.filters, {0.1}, 1);
      stream_positions(mix, settings, [](const PackedPosition&) { return true; });
    });
  };
  // A megabyte or two come and go with the threads' heaps; ten times the data held at once would be dozens more.
  EXPECT_LT(pass(40), pass(4) + 8192);
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
