// Speed of move generation, of making moves and of perft, for each variant from its start and from a middlegame.
#include <benchmark/benchmark.h>

#include <string>

#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/chess/perft.h"
#include "engine/variants/dispatch.h"
#include "tests/benchmarks/benchmark_positions.h"

namespace farrier {
namespace {

template <VariantRules R>
void generate(benchmark::State& state) {
  const Board board = benchmark_board<R>(state.range(0) != 0);
  std::size_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    const MoveList list = legal_moves<R>(board);
    benchmark::DoNotOptimize(list.size());
    moves += list.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(moves));
}

template <VariantRules R>
void make_moves(benchmark::State& state) {
  const Board board = benchmark_board<R>(state.range(0) != 0);
  const MoveList list = legal_moves<R>(board);
  for ([[maybe_unused]] auto _ : state)
    for (Move move : list) benchmark::DoNotOptimize(after<R>(board, move).key);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(list.size()));
}

template <VariantRules R>
void count_paths(benchmark::State& state) {
  const Board board = benchmark_board<R>(state.range(0) != 0);
  std::uint64_t paths = 0;
  for ([[maybe_unused]] auto _ : state) paths += perft<R>(board, 4);
  state.SetItemsProcessed(static_cast<std::int64_t>(paths));
}

void register_all() {
  for (Variant v : kAllVariants)
    with_rules(v, []<VariantRules R>() {
      const std::string name(R::kUciName);
      for (int middlegame : {0, 1}) {
        const std::string place = middlegame == 0 ? "/start/" : "/middlegame/";
        benchmark::RegisterBenchmark(("generate/" + name + place).c_str(), generate<R>)->Arg(middlegame);
        benchmark::RegisterBenchmark(("make/" + name + place).c_str(), make_moves<R>)->Arg(middlegame);
        benchmark::RegisterBenchmark(("perft4/" + name + place).c_str(), count_paths<R>)
            ->Arg(middlegame)
            ->Unit(benchmark::kMillisecond);
      }
    });
}

const bool kRegistered = (register_all(), true);

}  // namespace
}  // namespace farrier
