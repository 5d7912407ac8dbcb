#include "selfplay/match/match_plan.h"

#include <fmt/core.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "selfplay/games/progress_line.h"
#include "selfplay/match/elo.h"
#include "selfplay/match/match_runner.h"
#include "selfplay/match/sprt_words.h"

namespace farrier {
namespace {

using nlohmann::json;
using Seconds = std::chrono::duration<double>;

constexpr Seconds kSample{8};
constexpr Seconds kLongestSample{120};
/// 19 of 20 tests end within this multiple of their expected length even where the truth lies midway: there the
/// ratio wanders between the bounds without drift.
constexpr double kRoom = 2.62;

int workers_of(const MatchSettings& settings) {
  return settings.workers > 0 ? settings.workers
                              : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

std::string time_text(double pairs, const MatchSample& sample) {
  if (sample.pairs_a_second <= 0) return "time unknown";
  return "about " + duration_text(pairs / sample.pairs_a_second);
}

json time_json(double pairs, const MatchSample& sample) {
  return sample.pairs_a_second > 0 ? json(pairs / sample.pairs_a_second) : json(nullptr);
}

std::int64_t even_games(double pairs) { return 2 * static_cast<std::int64_t>(std::ceil(pairs)); }

std::string sample_text(const MatchSample& sample) {
  const MatchResult& r = sample.result;
  if (sample.pairs_a_second <= 0)
    return fmt::format(
        "Sample: no pair ended within {}; the spread of even players who draw 20% is assumed.\n",
        duration_text(sample.seconds));
  std::string text = fmt::format("Sample: {:.0f} games/min over {}", 120 * sample.pairs_a_second,
                                 duration_text(sample.seconds));
  if (r.games.games() > 0)
    text += fmt::format("; {} games counted: +{} ={} -{}, {:.0f}% drawn, {:.0f}% of the pairs even",
                        r.games.games(), r.games.wins, r.games.draws, r.games.losses,
                        100.0 * static_cast<double>(r.games.draws) / static_cast<double>(r.games.games()),
                        100.0 * static_cast<double>(r.pairs.pairs[2]) / static_cast<double>(r.pairs.count()));
  text += ".\n";
  if (r.has_faults()) text += "A player lost games of the sample by a fault.\n";
  return text;
}

std::string test_text(const MatchSettings& settings, const MatchSample& sample) {
  const SprtSettings& sprt = *settings.sprt;
  const double deviation = pair_deviation(sample.result.pairs);
  const TestLength length = expected_length(sprt, deviation);
  std::string text = hypotheses_text(sprt, deviation) + "\n";
  text +=
      sprt.model == SprtModel::Normalised
          ? "Normalised Elo is the lead over the spread of a game's result: the test is as long in a drawish "
            "variant as in a decided one.\n"
          : "A lead in logistic Elo is a score: the more even the pairs, the shorter the test.\n";
  const auto line = [&](const char* truth, double pairs) {
    return fmt::format("  {:<22} {:>8.0f} pairs, {}\n", truth, pairs, time_text(pairs, sample));
  };
  text += "Expected length, shorter the farther the truth lies outside:\n";
  text += line("if A's lead is elo0", length.at_h0);
  text += line("if it lies midway", length.at_midpoint);
  text += line("if it is elo1", length.at_h1);
  const double pairs_allowed = static_cast<double>(settings.games) / 2;
  if (pairs_allowed < kRoom * length.at_midpoint)
    text += fmt::format(
        "--games {} {}: give --games {} for a verdict in 19 of 20 such matches at least ({}).\n",
        settings.games,
        pairs_allowed < std::min(length.at_h0, length.at_h1) ? "will probably end the match without a verdict"
                                                             : "may end the match without a verdict",
        even_games(kRoom * length.at_midpoint), time_text(kRoom * length.at_midpoint, sample));
  return text;
}

std::string fixed_text(const MatchSettings& settings, const MatchSample& sample) {
  const std::int64_t pairs = settings.games / 2;
  const ExpectedError error = expected_error(pairs, pair_deviation(sample.result.pairs));
  const std::string elo =
      error.elo ? fmt::format("+- {:.1f} Elo", *error.elo) : "no Elo with two ends (too few games)";
  return fmt::format(
      "{} games take {} and tell {} and +- {:.1f} normalised Elo (95%) between even players; four times as "
      "many "
      "halve that. --sprt asks which of two hypotheses holds, and stops when it knows.\n",
      settings.games, time_text(static_cast<double>(pairs), sample), elo, error.nelo);
}

}  // namespace

MatchSample play_sample(const MatchSettings& settings) {
  std::atomic<bool> stop{false};
  std::atomic<std::int64_t> pairs{0};
  MatchSettings part = settings;
  part.journal.clear();
  part.log.clear();
  part.sprt.reset();
  part.stop = &stop;
  part.on_progress = [&](const MatchProgress& progress) { pairs = progress.pairs_this_session; };
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return Seconds(std::chrono::steady_clock::now() - start); };
  MatchSample sample;
  {
    const std::jthread watch([&](const std::stop_token& done) {
      while (!done.stop_requested() && !stop) {
        const bool asked = settings.stop != nullptr && *settings.stop;
        if (asked || elapsed() >= kLongestSample || (elapsed() >= kSample && pairs > 0)) stop = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
    sample.result = run_match(part);
  }
  sample.seconds = elapsed().count();
  if (pairs > 0) {
    // The pair that each worker leaves is half done on average.
    const double left = sample.result.end == MatchEnd::AllPlayed ? 0 : 0.5 * workers_of(settings);
    sample.pairs_a_second = (static_cast<double>(pairs) + left) / sample.seconds;
  }
  return sample;
}

ExpectedError expected_error(std::int64_t pairs, double deviation) {
  const double count = static_cast<double>(pairs);
  const double error = kZ95 * deviation / std::sqrt(count);
  ExpectedError expected{.elo = {}, .nelo = kZ95 * kNormalisedElo / std::sqrt(2 * count)};
  if (error < 0.5) expected.elo = elo_of_score(0.5 + error);
  return expected;
}

std::string plan_text(const MatchSettings& settings, const MatchSample& sample) {
  const int workers = workers_of(settings);
  std::string text = fmt::format("Plan of a match of {}, A {} against B {}, {} at a time\n",
                                 variant_name(settings.variant), settings.a.name, settings.b.name,
                                 workers == 1 ? "1 game" : fmt::format("{} games", workers));
  text += sample_text(sample);
  return text + (settings.sprt ? test_text(settings, sample) : fixed_text(settings, sample));
}

json plan_json(const MatchSettings& settings, const MatchSample& sample) {
  const double deviation = pair_deviation(sample.result.pairs);
  const double pairs_allowed = static_cast<double>(settings.games) / 2;
  const ExpectedError error = expected_error(settings.games / 2, deviation);
  json plan = {{"variant", variant_name(settings.variant)},
               {"a", settings.a.name},
               {"b", settings.b.name},
               {"sample",
                {{"seconds", sample.seconds},
                 {"pentanomial", sample.result.pairs.pairs},
                 {"pairs_per_second", sample.pairs_a_second},
                 {"pair_deviation", deviation}}},
               {"games", settings.games},
               {"seconds", time_json(pairs_allowed, sample)},
               {"elo_error_95", error.elo ? json(*error.elo) : json(nullptr)},
               {"nelo_error_95", error.nelo},
               {"sprt", nullptr}};
  if (!settings.sprt) return plan;
  const TestLength length = expected_length(*settings.sprt, deviation);
  const auto hypothesis = [&](double elo, double pairs) {
    const Lead lead = lead_of(elo, settings.sprt->model, deviation);
    return json{{"nelo", lead.nelo},
                {"elo", lead.elo ? json(*lead.elo) : json(nullptr)},
                {"score", lead.score ? json(*lead.score) : json(nullptr)},
                {"pairs", pairs},
                {"seconds", time_json(pairs, sample)}};
  };
  const double midpoint = (settings.sprt->elo0 + settings.sprt->elo1) / 2;
  plan["sprt"] = {{"model", sprt_model_name(settings.sprt->model)},
                  {"h0", hypothesis(settings.sprt->elo0, length.at_h0)},
                  {"midpoint", hypothesis(midpoint, length.at_midpoint)},
                  {"h1", hypothesis(settings.sprt->elo1, length.at_h1)}};
  return plan;
}

}  // namespace farrier
