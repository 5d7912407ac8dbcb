// Positions per second of the training step alone, batches ready in memory: our side of compare_training.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>

#include <fmt/core.h>
#include <oneapi/tbb/task_arena.h>
#include <CLI/CLI.hpp>

#include "tests/benchmarks/positions_file.h"
#include "trainer/device.h"
#include "trainer/kept_memory.h"
#include "trainer/learner.h"

namespace farrier {
namespace {

struct StepCall {
  std::string positions;
  int hidden = 256;
  std::size_t batch = 16384;
  int threads = 1;
  double seconds = 10;
  std::string device = kCpuDevice;
};

/// The file's positions, cut into batches.
std::vector<SparseBatch> cut(const SparseBatch& all, std::size_t size) {
  std::vector<SparseBatch> batches;
  for (std::size_t first = 0; first + size <= all.size(); first += size) {
    SparseBatch& batch = batches.emplace_back();
    for (std::size_t p = first; p < first + size; ++p) {
      for (std::size_t view : {2 * p, 2 * p + 1}) batch.add_view(view_inputs(all, view));
      batch.add_labels(all.score_cp_stm[p], all.result_stm[p]);
    }
  }
  return batches;
}

class Step {
 public:
  Step(int inputs, int hidden, const std::string& device)
      : learner_(make_learner(device, plain_shape(hidden), inputs, inputs, 1)) {}

  double operator()(const SparseBatch& batch) {
    labels_.targets(batch, targets_);
    return learner_->step(batch, targets_, {}).loss;
  }

 private:
  static Architecture plain_shape(int hidden) {
    Architecture shape;
    shape.hidden = hidden;
    return shape;
  }

  std::unique_ptr<Learner> learner_;
  Labels labels_;
  std::vector<float> targets_;
};

void measure(const StepCall& call) {
  using Clock = std::chrono::steady_clock;
  keep_freed_memory();
  const PositionsFile file = read_positions(call.positions);
  const std::vector<SparseBatch> batches = cut(file.positions, call.batch);
  if (batches.empty()) throw UserError(call.positions, "fills no batch");
  Step step(static_cast<int>(file.inputs), call.hidden, call.device);
  step(batches.front());
  double loss = 0;
  std::size_t steps = 0;
  const auto elapsed = [start = Clock::now()] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const std::clock_t used = std::clock();
  while (steps < 2 || elapsed() < call.seconds) loss = step(batches[steps++ % batches.size()]);
  const double seconds = elapsed();
  fmt::print("{:.0f} positions/s, {:.2f} threads busy, loss {:.6f}\n",
             static_cast<double>(steps * call.batch) / seconds,
             static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC / seconds, loss);
}

}  // namespace
}  // namespace farrier

int main(int argc, char** argv) {
  farrier::StepCall call;
  CLI::App app("Measures the training step");
  app.add_option("positions", call.positions, "Encoded positions (positions_file.py)")->required();
  app.add_option("--hidden", call.hidden);
  app.add_option("--batch", call.batch);
  app.add_option("--threads", call.threads);
  app.add_option("--seconds", call.seconds);
  farrier::add_device_option(app, call.device);
  CLI11_PARSE(app, argc, argv);
  try {
    tbb::task_arena arena(call.threads);
    arena.execute([&] { farrier::measure(call); });
  } catch (const farrier::UserError& error) {
    fmt::print(stderr, "training_step: {}\n", error.what());
    return 1;
  }
  return 0;
}
