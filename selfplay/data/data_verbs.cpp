#include "selfplay/data/data_verbs.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "selfplay/data/data_stats.h"

namespace farrier {
namespace {

std::vector<std::filesystem::path> shards_of(const std::vector<std::string>& places) {
  return shard_paths(std::vector<std::filesystem::path>(places.begin(), places.end()));
}

}  // namespace

void add_data_verbs(CLI::App& app) {
  CLI::App* data = app.add_subcommand("data", "Looks at game records and proves them");
  data->require_subcommand(1);
  auto places = std::make_shared<std::vector<std::string>>();

  CLI::App* stats = data->add_subcommand("stats", "Games, positions, results, bytes a position, coherence");
  stats->add_option("places", *places, "Folders of shards, or shards")->required();
  stats->callback([places] {
    const auto shards = shards_of(*places);
    fmt::print("{}", stats_text(measure_data(shards), shards.size()));
  });

  CLI::App* check =
      data->add_subcommand("check", "Replays every game under the rules; exit status 1 at a fault");
  check->add_option("places", *places, "Folders of shards, or shards")->required();
  check->callback([places] {
    const ShardSetSums sums = prove_data(shards_of(*places));
    fmt::print("{} games, {} plies of {}: all moves legal, all ends and results right\n", sums.games.games,
               sums.games.plies, variant_name(sums.variant));
  });
}

}  // namespace farrier
