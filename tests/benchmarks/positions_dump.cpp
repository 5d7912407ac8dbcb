// A data set's positions as the trainer learns from them, in a file that plain_pytorch.py reads.
#include <cstdio>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "tests/benchmarks/positions_file.h"
#include "trainer/batch_stream.h"
#include "trainer/config.h"
#include "trainer/float_net.h"

namespace farrier {
namespace {

void add_part(const Dataset& dataset, DataPart part, PositionsFile& out) {
  StreamOptions options;
  options.shuffled = false;
  options.partial = true;
  BatchStream stream(dataset, Architecture(), part, options);
  while (auto batch = stream.next()) {
    for (std::size_t p = 0; p < batch->size(); ++p) {
      for (std::size_t view : {2 * p, 2 * p + 1}) out.positions.add_view(view_inputs(*batch, view));
      out.positions.add_labels(batch->score_cp_stm[p], batch->result_stm[p]);
      out.validation.push_back(part == DataPart::Validation ? 1 : 0);
    }
    stream.recycle(std::move(batch));
  }
}

void dump(const std::string& config, const std::vector<std::string>& data, const std::string& out) {
  const Experiment experiment = load_experiment(config);
  const Dataset dataset(experiment.variant, {{{data.begin(), data.end()}, 1}}, experiment.train.filters,
                        experiment.train.validation_share);
  PositionsFile file;
  file.inputs = feature_count(experiment.variant);
  add_part(dataset, DataPart::Training, file);
  add_part(dataset, DataPart::Validation, file);
  write_positions(out, file);
  fmt::print("{} training and {} validation positions; scale {} cp\n", dataset.positions(DataPart::Training),
             dataset.positions(DataPart::Validation), dataset.histogram().fit_scale_cp());
}

}  // namespace
}  // namespace farrier

int main(int argc, char** argv) {
  std::string config, out;
  std::vector<std::string> data;
  CLI::App app("Writes the positions that an experiment learns from as one plain file (positions_file.py)");
  app.add_option("config", config, "Experiment file (TOML)")->required();
  app.add_option("--data", data, "Folders of shards, or shards")->required();
  app.add_option("--out", out)->required();
  CLI11_PARSE(app, argc, argv);
  try {
    farrier::dump(config, data, out);
  } catch (const farrier::UserError& error) {
    fmt::print(stderr, "farrier_positions_dump: {}\n", error.what());
    return 1;
  }
  return 0;
}
