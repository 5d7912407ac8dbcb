// The verb `data rescore`.
#include <memory>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "selfplay/games/stop_signal.h"
#include "selfplay/records/data_verbs.h"
#include "selfplay/rescore/rescore.h"

namespace farrier {
namespace {

void run_rescore(RescoreSettings settings, const std::string& net) {
  if (net != "material") settings.net = net;
  const RescoreSummary summary = rescore_data(settings, stop_on_signals());
  if (!summary.complete)
    throw UserError(
        settings.out.string(),
        fmt::format("stopped, the games done are kept in {}; give the same command again to go on",
                    temporary_path(settings.out).string()));
  fmt::print("{}", rescore_text(settings, summary));
}

}  // namespace

void add_rescore_verb(CLI::App& data) {
  auto settings = std::make_shared<RescoreSettings>();
  auto net = std::make_shared<std::string>();
  CLI::App* verb =
      data.add_subcommand("rescore", "The same games with the scores of another net or a deeper search");
  verb->footer(
      "Every position after the random plies is searched again. Stopped or killed, the same command goes on; "
      "the bytes don't depend on the workers.");
  verb->add_option("sources", settings->sources, "Folders of shards, or shards")->required();
  verb->add_option("--out", settings->out, "The new folder; it grows as FOLDER.tmp")->required();
  verb->add_option("--net", *net, "Net file (.fnn) that evaluates, or material")->required();
  verb->add_option("--nodes", settings->soft_nodes, "Soft node limit of a search")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
  verb->add_option("--depth", settings->depth, "Depth limit of a search")->check(CLI::Range(1, 100));
  verb->add_option("--hash", settings->hash_mib, "Hash table of a game, MiB")->capture_default_str();
  verb->add_option("--workers", settings->workers, "Games at a time; 0: as many as there are cores")
      ->capture_default_str();
  verb->callback([settings, net] { run_rescore(*settings, *net); });
}

}  // namespace farrier
