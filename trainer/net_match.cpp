#include "trainer/net_match.h"

#include <memory>

#include "selfplay/games/progress_line.h"
#include "selfplay/match/match_report.h"
#include "selfplay/match/match_runner.h"

namespace farrier {
namespace {

PlayerSpec player(const std::filesystem::path& net, int nodes) {
  PlayerSpec spec;
  spec.hard_nodes = static_cast<std::uint64_t>(nodes);
  if (net.empty()) return spec;
  spec.name = net.filename().string();
  spec.net = std::make_shared<const Net>(read_net(net));
  return spec;
}

}  // namespace

OpeningSettings random_openings(const SelfplayConfig& config) {
  OpeningSettings settings;
  settings.random_plies = config.random_plies;
  settings.max_score_cp = config.opening_limit_cp;
  return settings;
}

std::optional<MatchResult> play_net_match(const Experiment& experiment, const NetMatch& match,
                                          const std::atomic<bool>& stop) {
  MatchSettings settings;
  settings.variant = experiment.variant;
  settings.a = player(match.a, match.nodes);
  settings.b = player(match.b, match.nodes);
  settings.openings = random_openings(experiment.selfplay);
  settings.games = match.games;
  settings.sprt = match.sprt;
  settings.seed = match.seed;
  settings.workers = experiment.selfplay.workers;
  settings.journal = match.journal;
  settings.stop = &stop;
  ProgressLine line;
  settings.on_progress = [&](const MatchProgress& progress) {
    if (line.due()) line.show("match: " + progress_text(progress, settings.sprt));
  };
  MatchResult result = run_match(settings);
  line.finish();
  if (result.end == MatchEnd::Interrupted) return std::nullopt;
  return result;
}

}  // namespace farrier
