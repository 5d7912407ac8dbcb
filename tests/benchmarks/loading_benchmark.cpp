// How fast recorded games become training positions on one core, step by step. FARRIER_BENCH_DATA=FOLDER names
// shards of real self-play; without it random crazyhouse games are loaded. items_per_second counts the scored
// positions that are read; `kept` those that the filters leave.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "engine/variants/dispatch.h"
#include "selfplay/data/game_writer.h"
#include "selfplay/data/replay.h"
#include "selfplay/data/shard_set.h"
#include "selfplay/loading/data_inspection.h"
#include "selfplay/loading/position_stream.h"
#include "tests/selfplay/data/test_games.h"

namespace farrier {
namespace {

/// The folder, made once where none is named.
const std::filesystem::path& data_folder() {
  static const struct Folder {
    Folder() {
      if (const char* named = std::getenv("FARRIER_BENCH_DATA")) {
        path = named;
        return;
      }
      path = made = make_test_folder();
      ShardInfo info;
      info.variant = Variant::Crazyhouse;
      write_shard(path / shard_name(0), info, random_games<Crazyhouse>(2000, 1));
    }
    ~Folder() {
      if (!made.empty()) std::filesystem::remove_all(made);
    }
    std::filesystem::path path, made;
  } folder;
  return folder.path;
}

ShardSetSums data_sums() { return sum_shards(shard_paths(data_folder())); }

void count_positions(benchmark::State& state, std::uint64_t positions, std::int64_t kept) {
  state.SetItemsProcessed(static_cast<std::int64_t>(positions) *
                          static_cast<std::int64_t>(state.iterations()));
  state.counters["kept"] = static_cast<double>(kept);
}

void decode(benchmark::State& state) {
  const ShardSetSums sums = data_sums();
  for (auto _ : state) {
    GameRecord game;
    for (const auto& path : shard_paths(data_folder()))
      for (GameReader reader(path); reader.next(game);) benchmark::DoNotOptimize(game);
  }
  count_positions(state, sums.games.positions, 0);
}

void decode_and_prove(benchmark::State& state) {
  const ShardSetSums sums = data_sums();
  for (auto _ : state)
    with_rules(sums.variant, []<VariantRules R>() {
      GameRecord game;
      for (const auto& path : shard_paths(data_folder()))
        for (GameReader reader(path); reader.next(game);)
          replay<R>(game, [](const Board&, Move, std::int16_t score, std::size_t) {
            benchmark::DoNotOptimize(score);
          });
    });
  count_positions(state, sums.games.positions, 0);
}

enum class From { Shards, Memory, File };

/// Decode, replay, filter, pack, with or without the shuffle buffer; or what the first look at the data has kept of that.
void load(benchmark::State& state, bool shuffled, PositionFilters filters, From from) {
  const ShardSetSums sums = data_sums();
  const DataMix mix(sums.variant, {{{data_folder()}, 1}});
  KeptPositions kept(filters, {}, from == From::Memory ? KeptPositions::kMostBytes : 0,
                     from == From::File ? std::filesystem::temp_directory_path() : "");
  if (from != From::Shards) inspect_data(mix, kept, 1, [](int, int) {});
  PassSettings settings;
  settings.shuffled = shuffled;
  settings.filters = filters;
  settings.part = DataPart::Training;
  settings.kept = &kept;
  FilterCounts counts;
  for (auto _ : state) {
    ++settings.epoch;
    counts = stream_positions(mix, settings, [](const PackedPosition& position) {
      benchmark::DoNotOptimize(&position);
      return true;
    });
  }
  count_positions(state, sums.games.positions, counts.kept);
}

constexpr PositionFilters kNoFilters{
    .in_check = false, .noisy = false, .exploratory = false, .max_score_cp = 32767};

BENCHMARK(decode)->Unit(benchmark::kMillisecond);
BENCHMARK(decode_and_prove)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, in_order, false, PositionFilters{}, From::Shards)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, shuffled, true, PositionFilters{}, From::Shards)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, unfiltered, false, kNoFilters, From::Shards)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, kept_in_memory, true, PositionFilters{}, From::Memory)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, kept_in_file, true, PositionFilters{}, From::File)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace farrier
