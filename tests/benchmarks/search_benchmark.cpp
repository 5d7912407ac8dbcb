// Speed of what a search does at each node beside generating moves: the table, judging one move, exchanges.
#include <benchmark/benchmark.h>

#include <array>
#include <string>

#include "engine/base/rng.h"
#include "engine/chess/movegen.h"
#include "engine/search/see.h"
#include "engine/search/transposition_table.h"
#include "engine/variants/dispatch.h"
#include "tests/benchmarks/benchmark_positions.h"

namespace farrier {
namespace {

constexpr std::size_t kKeys = 1 << 12;  // drawn beforehand, so that only the table is measured

/// Keys all over the table; every second one is in it.
struct FilledTable {
  explicit FilledTable(std::int64_t mib) : table(static_cast<std::size_t>(mib)) {
    Rng rng(3);
    for (std::uint64_t& key : keys) key = rng();
    for (std::size_t i = 0; i < kKeys; i += 2) table.store(keys[i], entry);
  }

  TableEntry entry{Move::from_bits(1234), 17, 12, 8, Bound::Exact};
  std::array<std::uint64_t, kKeys> keys;
  TranspositionTable table;
};

void probe(benchmark::State& state) {
  const FilledTable filled(state.range(0));
  for ([[maybe_unused]] auto _ : state)
    for (std::uint64_t key : filled.keys) benchmark::DoNotOptimize(filled.table.probe(key));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kKeys));
}

void store(benchmark::State& state) {
  FilledTable filled(state.range(0));
  for ([[maybe_unused]] auto _ : state)
    for (std::uint64_t key : filled.keys) filled.table.store(key, filled.entry);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kKeys));
}

/// Moves of the start are judged in the middlegame, as moves of the table and killers are: many are illegal.
template <VariantRules R>
void judge_moves(benchmark::State& state) {
  const Board board = benchmark_board<R>(true);
  MoveList list = legal_moves<R>(board);
  for (Move move : legal_moves<R>(benchmark_board<R>(false))) list.push_back(move);
  for ([[maybe_unused]] auto _ : state)
    for (Move move : list) benchmark::DoNotOptimize(is_legal<R>(board, move));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(list.size()));
}

template <VariantRules R>
void exchange(benchmark::State& state) {
  const Board board = benchmark_board<R>(true);
  const MoveList list = legal_moves<R>(board);
  for ([[maybe_unused]] auto _ : state)
    for (Move move : list) benchmark::DoNotOptimize(see_at_least<R>(board, move, 0));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(list.size()));
}

void register_all() {
  benchmark::RegisterBenchmark("table_probe/mib", probe)->Arg(1)->Arg(64);
  benchmark::RegisterBenchmark("table_store/mib", store)->Arg(1)->Arg(64);
  for (Variant v : kAllVariants)
    with_rules(v, []<VariantRules R>() {
      const std::string name(R::kUciName);
      benchmark::RegisterBenchmark(("is_legal/" + name).c_str(), judge_moves<R>);
      benchmark::RegisterBenchmark(("see/" + name).c_str(), exchange<R>);
    });
}

const bool kRegistered = (register_all(), true);

}  // namespace
}  // namespace farrier
