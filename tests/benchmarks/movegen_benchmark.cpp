// Speed of move generation, of making moves and of perft, for each variant from its start and from a middlegame.
#include <benchmark/benchmark.h>

#include <string>

#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/chess/perft.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// A middlegame of each variant, with men in hand where there are hands.
std::string_view middlegame_fen(Variant v) {
  switch (v) {
    case Variant::Crazyhouse:
      return "r1b1kb1r/ppp2ppp/2n2q2/3pP3/3Pn3/2N2N2/PPP2PPP/R1BQKB1R[Pp] w KQkq - 0 8";
    case Variant::Knightmate:
      return "r1bqkb1r/ppp2ppp/2m2m2/3pp3/3PP3/2M2M2/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    case Variant::PocketKnight:
      return "r1bqkb1r/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQKB1R[Nn] w KQkq - 0 6";
    case Variant::Chess:
      break;
  }
  return "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
}

template <VariantRules R>
Board benchmark_board(const benchmark::State& state) {
  return parse_fen<R>(state.range(0) == 0 ? R::kStartFen : middlegame_fen(R::kVariant)).value_or_throw("FEN");
}

template <VariantRules R>
void generate(benchmark::State& state) {
  const Board board = benchmark_board<R>(state);
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
  const Board board = benchmark_board<R>(state);
  const MoveList list = legal_moves<R>(board);
  for ([[maybe_unused]] auto _ : state)
    for (Move move : list) benchmark::DoNotOptimize(after<R>(board, move).key);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(list.size()));
}

template <VariantRules R>
void count_paths(benchmark::State& state) {
  const Board board = benchmark_board<R>(state);
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
