// What an evaluation costs by the net's architecture: sums brought up to date over one move, and all that follows.
// The table of trainer/ARCHITECTURES.md comes from here.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/nnue/evaluator.h"
#include "tests/benchmarks/benchmark_positions.h"
#include "tests/support/random_net.h"

namespace farrier {
namespace {

constexpr int kGames = 20;
constexpr int kPlies = 60;

struct NamedArchitecture {
  std::string name;
  Architecture architecture;
};

std::vector<NamedArchitecture> architectures() {
  std::vector<NamedArchitecture> all;
  const auto add = [&all](std::string name, int hidden, auto change) {
    Architecture a;
    a.hidden = hidden;
    change(a);
    all.push_back({std::move(name), std::move(a)});
  };
  const auto plain = [](Architecture&) {};
  for (int hidden : {32, 64, 128, 256, 512, 1024}) add("plain_" + std::to_string(hidden), hidden, plain);
  add("crelu_128", 128, [](Architecture& a) { a.activation = Activation::Crelu; });
  add("pairwise_128", 128, [](Architecture& a) { a.activation = Activation::Pairwise; });
  add("unpromoted_128", 128, [](Architecture& a) { a.features.promoted = false; });
  add("mirror_128", 128, [](Architecture& a) { a.features.mirror = true; });
  add("king_buckets_16_128", 128, [](Architecture& a) {
    for (int s = 0; s < kSquareCount; ++s) a.features.king_buckets.push_back(s / 4);
  });
  add("output_buckets_8_128", 128, [](Architecture& a) { a.board_buckets = {4, 8, 12, 16, 20, 24, 28}; });
  add("layers_16_128", 128, [](Architecture& a) { a.layers = {16}; });
  add("layers_16_32_128", 128, [](Architecture& a) { a.layers = {16, 32}; });
  add("layers_16_32_512", 512, [](Architecture& a) { a.layers = {16, 32}; });
  add("pairwise_layers_16_32_512", 512, [](Architecture& a) {
    a.activation = Activation::Pairwise;
    a.layers = {16, 32};
  });
  return all;
}

/// Positions of random games with all their successors, as a search meets them: parent and child.
template <VariantRules R>
std::vector<std::vector<Board>> families() {
  Rng rng(5);
  std::vector<std::vector<Board>> all;
  for (int game = 0; game < kGames; ++game) {
    Board board = benchmark_board<R>(game % 2 == 1);
    for (int ply = 0; ply < kPlies; ++ply) {
      const MoveList moves = legal_moves<R>(board);
      if (moves.empty()) break;
      std::vector<Board>& family = all.emplace_back(1, board);
      for (Move move : moves) {
        family.push_back(board);
        make_move<R>(family.back(), move);
      }
      make_move<R>(board, moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
  }
  return all;
}

template <VariantRules R>
void evaluate(benchmark::State& state, const Architecture& architecture) {
  static const std::vector<std::vector<Board>> positions = families<R>();
  const auto evaluator =
      make_evaluator<R>(std::make_shared<const Net>(random_net_of(R::kVariant, architecture)));
  std::vector<Board> line(2);
  std::int64_t evaluated = 0;
  std::size_t next = 0;
  for ([[maybe_unused]] auto _ : state) {
    const std::vector<Board>& family = positions[next];
    next = (next + 1) % positions.size();
    line[0] = family[0];
    for (std::size_t child = 1; child < family.size(); ++child) {
      line[1] = family[child];
      benchmark::DoNotOptimize(evaluator->evaluate(line.data(), 1));
    }
    evaluated += static_cast<std::int64_t>(family.size()) - 1;
  }
  state.SetItemsProcessed(evaluated);
}

template <VariantRules R>
void register_variant() {
  for (const auto& [name, architecture] : architectures())
    benchmark::RegisterBenchmark(("evaluate/" + std::string(R::kUciName) + "/" + name).c_str(), evaluate<R>,
                                 architecture);
}

const bool kRegistered = (register_variant<Crazyhouse>(), register_variant<Knightmate>(), true);

}  // namespace
}  // namespace farrier
