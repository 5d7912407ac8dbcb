#include "selfplay/tune/tuner.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <thread>

#include "engine/base/rng.h"
#include "engine/search/search_params.h"
#include "engine/variants/dispatch.h"
#include "selfplay/tune/tune_state.h"

namespace farrier {
namespace {

constexpr std::uint64_t kOpeningStream = 0x74756E65;  // "tune"
/// Large enough to keep many cores busy, small against the thousands of pairs of a run.
constexpr std::int64_t kBatch = 32;

PlayerSpec player_with(PlayerSpec spec, const std::vector<SpsaParameter>& parameters,
                       const std::vector<int>& values) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    for (const Tunable& tunable : kTunables)
      if (tunable.name == parameters[i].name) spec.params.*tunable.value = values[i];
  return spec;
}

/// Wins less losses of the probe's `plus` over both games; nothing if the run was stopped meanwhile.
std::optional<int> play_probe(const TuneSettings& settings, const std::vector<SpsaParameter>& parameters,
                              const SpsaProbe& probe, std::int64_t pair) {
  const std::size_t turn = static_cast<std::size_t>(pair) % settings.variants.size();
  const PlayerSpec& base = settings.bases[turn];
  return with_rules(settings.variants[turn], [&]<VariantRules R>() -> std::optional<int> {
    SearcherOptions judge_options;
    judge_options.hash_mib = 1;
    Searcher<R> judge(judge_options);
    SearchPlayer<R> plus(player_with(base, parameters, probe.plus), settings.stop);
    SearchPlayer<R> minus(player_with(base, parameters, probe.minus), settings.stop);
    const std::uint64_t seed = derive_seed(settings.seed, kOpeningStream, static_cast<std::uint64_t>(pair));
    PairTerms terms = {};
    terms.adjudication = settings.adjudication;
    terms.halted = [&] { return settings.stop != nullptr && *settings.stop; };
    const auto played =
        play_pair<R>(pair, make_opening<R>(judge, settings.openings, seed), plus, minus, terms);
    if (!played) return std::nullopt;
    return played->games[0].result_a + played->games[1].result_a;
  });
}

/// Plays the pairs `first` to `end` about the present values and learns from all of them, or from none if stopped.
bool play_batch(const TuneSettings& settings, TuneResult& now, std::int64_t end) {
  const std::int64_t first = now.pairs;
  std::vector<SpsaProbe> probes;
  for (std::int64_t pair = first; pair < end; ++pair)
    probes.push_back(make_probe(now.parameters, settings.schedule, settings.seed, pair));
  std::vector<std::optional<int>> results(probes.size());
  tbb::parallel_for(
      std::size_t{0}, probes.size(),
      [&](std::size_t i) {
        results[i] = play_probe(settings, now.parameters, probes[i], first + static_cast<std::int64_t>(i));
      },
      tbb::simple_partitioner{});
  if (!std::all_of(results.begin(), results.end(), [](const auto& r) { return r.has_value(); })) return false;
  for (std::size_t i = 0; i < probes.size(); ++i)
    learn_result(now.parameters, settings.schedule, probes[i], now.pairs++, *results[i]);
  return true;
}

}  // namespace

TuneResult run_tuning(const TuneSettings& settings) {
  TuneResult now{.parameters = settings.parameters};
  if (!settings.state.empty())
    if (const auto found = read_tune_state(settings)) now = *found;
  const std::int64_t before = now.pairs;
  const auto start = std::chrono::steady_clock::now();
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const tbb::global_control parallelism(
      tbb::global_control::max_allowed_parallelism,
      settings.workers > 0 ? static_cast<std::size_t>(settings.workers) : cores);
  while (now.pairs < settings.schedule.pairs) {
    if (!play_batch(settings, now, std::min(now.pairs + kBatch, settings.schedule.pairs))) return now;
    if (!settings.state.empty()) write_tune_state(settings, now);
    if (settings.on_progress) {
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      settings.on_progress({.parameters = now.parameters,
                            .pairs_done = now.pairs,
                            .pairs_this_session = now.pairs - before,
                            .seconds_this_session = elapsed.count()});
    }
  }
  now.complete = true;
  return now;
}

}  // namespace farrier
