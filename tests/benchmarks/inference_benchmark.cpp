// Speed of inference's two loops at each instruction set that runs here, and of the same loops one value at a time.
// Read them against cycle/add, whose items/s are the processor's cycles/s: items/s of a loop are its 16-bit values.
// Zen 5 loads two vectors of 32 values a cycle and multiplies two. At 512 wide the v4 update reaches 60% of what its three
// loads a vector allow, the output layer 58% of what its two multiplications do; at 128 wide, where the call weighs, 38%
// and 44%: 15 ns a node for all three.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "engine/base/rng.h"
#include "engine/nnue/architecture.h"
#include "engine/nnue/kernels.h"
#include "engine/nnue/net_file.h"

namespace farrier {
namespace {

using Value = std::int16_t;

constexpr int kRows = 32;  // as many as a position has inputs; they fit the first cache at 512 wide
constexpr int kRowsOfARefresh = 30;

/// The measure of the rest: additions that wait for each other take a cycle each.
void count_cycles(benchmark::State& state) {
  constexpr int kAdditions = 1024;
  std::uint64_t sum = 0, step = 3;
  for ([[maybe_unused]] auto _ : state) {
#pragma GCC unroll 32
    for (int i = 0; i < kAdditions; ++i) {
      benchmark::DoNotOptimize(step);
      sum += step;
      asm volatile("" : "+r"(sum));
    }
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(state.iterations() * kAdditions);
}

/// The sums and the net that the loops run over.
struct Layer {
  explicit Layer(int hidden) {
    Rng rng(7);
    const auto draw = [&rng](int n, int bound) {
      Weights values(static_cast<std::size_t>(n));
      for (Value& v : values)
        v = static_cast<Value>(static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * bound + 1))) -
                               bound);
      return values;
    };
    us = draw(hidden, 400);
    other = draw(hidden, 400);
    rows = draw(kRows * hidden, 90);
    output = draw(2 * hidden, kMaxOutputWeight);
    for (int i = 0; i < 2 * kRows; ++i) inputs.push_back(static_cast<std::uint16_t>(i * 5 % kRows));
  }

  Weights us, other, rows, output;
  std::vector<std::uint16_t> inputs;
};

#if defined(__clang__)
#define FARRIER_ONE_BY_ONE
#else
#define FARRIER_ONE_BY_ONE [[gnu::noinline, gnu::optimize("no-tree-vectorize")]]
#endif

template <int Hidden>
FARRIER_ONE_BY_ONE void plain_update(const Value* in, Value* out, const Value* weights, InputList added,
                                     InputList removed) {
  for (int h = 0; h < Hidden; ++h) {
    int sum = in[h];
    for (int i = 0; i < added.count; ++i) sum += weights[added.inputs[i] * Hidden + h];
    for (int i = 0; i < removed.count; ++i) sum -= weights[removed.inputs[i] * Hidden + h];
    out[h] = static_cast<Value>(sum);
  }
}

template <int Hidden>
FARRIER_ONE_BY_ONE std::int32_t plain_output(const Value* us, const Value* other, const Value* weights) {
  std::int32_t sum = 0;
  for (int h = 0; h < 2 * Hidden; ++h) {
    const int value = h < Hidden ? us[h] : other[h - Hidden];
    const int active = value < 0 ? 0 : value > kQa ? kQa : value;
    sum += active * active * weights[h];
  }
  return sum;
}

/// One view's sums anew from the bias, or after a step of one man: the usual update of a search.
void update_sums(benchmark::State& state, const NetKernels& kernels, int hidden, int added, int removed) {
  Layer layer(hidden);
  Weights out(layer.us.size());
  std::size_t first = 0;
  for ([[maybe_unused]] auto _ : state) {
    const std::uint16_t* inputs = layer.inputs.data() + first;
    first = (first + 1) % (kRows / 2);
    kernels.update(layer.us.data(), out.data(), layer.rows.data(), {inputs, added},
                   {inputs + added, removed});
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * hidden * (added + removed));
}

void output_layer(benchmark::State& state, const NetKernels& kernels, int hidden) {
  Layer layer(hidden);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(kernels.output_sum(layer.us.data(), layer.other.data(), layer.output.data()));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * hidden * 2);
}

void register_kernels(const std::string& level, const NetKernels& kernels, int hidden) {
  const std::string place = "/" + std::to_string(hidden) + "/" + level;
  benchmark::RegisterBenchmark(("accumulator_refresh" + place).c_str(), update_sums, kernels, hidden,
                               kRowsOfARefresh, 0);
  benchmark::RegisterBenchmark(("accumulator_update" + place).c_str(), update_sums, kernels, hidden, 1, 1);
  benchmark::RegisterBenchmark(("output_layer" + place).c_str(), output_layer, kernels, hidden);
}

template <int Hidden>
void register_width() {
  register_kernels("one_by_one", {plain_update<Hidden>, plain_output<Hidden>}, Hidden);
  std::string_view last;
  for (const KernelLevel& level : kernel_levels()) {
    if (level.name != last) register_kernels(std::string(level.name), level.kernels(Hidden), Hidden);
    last = level.name;
  }
}

void register_all() {
  benchmark::RegisterBenchmark("cycle/add", count_cycles);
  register_width<64>();
  register_width<128>();
  register_width<256>();
  register_width<512>();
}

const bool kRegistered = (register_all(), true);

}  // namespace
}  // namespace farrier
