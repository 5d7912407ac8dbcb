#include "selfplay/match/match_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "selfplay/games/progress_line.h"
#include "selfplay/match/journal.h"
#include "selfplay/match/sprt_words.h"

namespace farrier {

using nlohmann::json;

namespace {

std::string games_text(const GameCounts& games) {
  return fmt::format("+{} ={} -{}", games.wins, games.draws, games.losses);
}

double percent(const GameCounts& games) {
  const double points = static_cast<double>(games.wins) + 0.5 * static_cast<double>(games.draws);
  return 100 * points / static_cast<double>(std::max<std::int64_t>(1, games.games()));
}

/// Elo with its error alone, to keep a progress line short.
std::string short_elo_text(const EloEstimate& e) {
  if (!e.elo || !e.nelo) return elo_text(e);
  return e.elo_error ? fmt::format("Elo {:+.1f} +- {:.1f}", *e.elo, *e.elo_error)
                     : fmt::format("Elo {:+.1f}", *e.elo);
}

double nodes_per_move(const MatchResult& result, std::size_t player) {
  return static_cast<double>(result.nodes[player]) /
         static_cast<double>(std::max<std::int64_t>(1, result.searches[player]));
}

std::int64_t total(const TerminationCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::string see_log(const MatchSettings& settings) {
  return settings.log.empty() ? "" : ", see " + settings.log.string();
}

/// " (time forfeit 2, crash 1)", or nothing.
std::string counts_text(const TerminationCounts& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      text += fmt::format("{}{} {}", text.empty() ? " (" : ", ",
                          termination_name(static_cast<Termination>(i)), counts[i]);
  return text.empty() ? text : text + ")";
}

json counts_json(const TerminationCounts& counts, Termination first) {
  json j = json::object();
  for (std::size_t i = static_cast<std::size_t>(first); i < counts.size(); ++i)
    j[std::string(termination_name(static_cast<Termination>(i)))] = counts[i];
  return j;
}

template <class T>
json number_or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

std::string_view end_name(MatchEnd end) {
  switch (end) {
    case MatchEnd::AllPlayed:
      return "all played";
    case MatchEnd::AcceptedH0:
      return "H0 accepted";
    case MatchEnd::AcceptedH1:
      return "H1 accepted";
    case MatchEnd::Faulty:
      return "faulty";
    case MatchEnd::Interrupted:
      break;
  }
  return "interrupted";
}

json games_json(const GameCounts& games) {
  return {{"wins", games.wins}, {"draws", games.draws}, {"losses", games.losses}};
}

json elo_json(const std::optional<EloEstimate>& elo) {
  if (!elo) return nullptr;
  return {{"score", elo->score},
          {"elo", number_or_null(elo->elo)},
          {"elo_error_95", number_or_null(elo->elo_error)},
          {"elo_low_95", number_or_null(elo->elo_low)},
          {"elo_high_95", number_or_null(elo->elo_high)},
          {"nelo", number_or_null(elo->nelo)},
          {"nelo_error_95", number_or_null(elo->nelo_error)},
          {"los", number_or_null(elo->los)},
          {"even_pairs_ratio", elo->middle_ratio},
          {"text", elo_text(*elo)}};
}

}  // namespace

std::string progress_text(const MatchProgress& p, const std::optional<SprtSettings>& sprt) {
  const MatchResult& r = p.result;
  std::string text =
      fmt::format("{}/{} games: {}", r.games.games(), 2 * p.pairs_to_play, games_text(r.games));
  if (const std::optional<EloEstimate> elo = r.elo())
    text += fmt::format(" ({:.1f}%), {}", percent(r.games), short_elo_text(*elo));
  if (sprt && r.llr) text += ", " + llr_bar(*r.llr, *sprt);
  if (p.seconds_this_session <= 0 || p.pairs_this_session == 0) return text;
  const double pairs_a_second = static_cast<double>(p.pairs_this_session) / p.seconds_this_session;
  const double left = static_cast<double>(p.pairs_to_play - r.pairs.count()) / pairs_a_second;
  return text + fmt::format(", {:.0f} games/min, {}{} left", 120 * pairs_a_second, sprt ? "at most " : "",
                            duration_text(left));
}

std::string verdict_text(const MatchSettings& settings, const MatchResult& result) {
  const std::optional<EloEstimate> elo = result.elo();
  const std::string figures = elo ? elo_text(*elo) : "no pair finished";
  switch (result.end) {
    case MatchEnd::AcceptedH1:
      return "H1 accepted, A is stronger: " + figures;
    case MatchEnd::AcceptedH0:
      return "H0 accepted, A is not proved stronger: " + figures;
    case MatchEnd::Interrupted:
      return fmt::format("Interrupted, {}: {}",
                         settings.journal.empty() ? "and without --journal it starts anew"
                                                  : "the same command goes on from the journal",
                         figures);
    case MatchEnd::Faulty:
      return fmt::format("Stopped by a player's fault{}: {}", see_log(settings), figures);
    case MatchEnd::AllPlayed:
      break;
  }
  return (settings.sprt ? "All games played without a verdict: " : "") + figures;
}

std::string report_text(const MatchSettings& settings, const MatchResult& r) {
  std::string text = fmt::format("Match of {}, seed {}: A {} against B {}\n", variant_name(settings.variant),
                                 settings.seed, settings.a.name, settings.b.name);
  if (r.pairs.count() > 0) {
    const auto& pairs = r.pairs.pairs;
    text += fmt::format("Games {}: {} for A ({:.1f}%), white scored {:.1f}%\n", r.games.games(),
                        games_text(r.games), percent(r.games), percent(r.games_white));
    text += fmt::format("Pairs {}: LL {}, LD {}, WL or DD {}, WD {}, WW {}\n", r.pairs.count(), pairs[0],
                        pairs[1], pairs[2], pairs[3], pairs[4]);
    text += "Ends:";
    for (std::size_t i = 0; i < r.terminations.size(); ++i)
      if (r.terminations[i] > 0)
        text += fmt::format(" {} {},", termination_name(static_cast<Termination>(i)), r.terminations[i]);
    text.back() = ';';
    text += fmt::format(" nodes a move: A {:.0f}, B {:.0f}\n", nodes_per_move(r, 0), nodes_per_move(r, 1));
    if (r.has_faults())
      text += fmt::format("Lost by faults{}: {} by A{}, {} by B{}\n", see_log(settings), total(r.faults[0]),
                          counts_text(r.faults[0]), total(r.faults[1]), counts_text(r.faults[1]));
  }
  if (settings.sprt && r.llr) {
    text += fmt::format("Sequential test: {}\n{}\n", llr_bar(*r.llr, *settings.sprt),
                        hypotheses_text(*settings.sprt, pair_deviation(r.pairs)));
  }
  return text + verdict_text(settings, r) + "\n";
}

json report_json(const MatchSettings& settings, const MatchResult& r) {
  return {{"settings", frozen_settings(settings)},
          {"a", settings.a.name},
          {"b", settings.b.name},
          {"end", end_name(r.end)},
          {"games", games_json(r.games)},
          {"games_white", games_json(r.games_white)},
          {"pentanomial", r.pairs.pairs},
          {"terminations", counts_json(r.terminations, Termination::Checkmate)},
          {"faults",
           {{"a", counts_json(r.faults[0], Termination::TimeForfeit)},
            {"b", counts_json(r.faults[1], Termination::TimeForfeit)}}},
          {"nodes_per_move", {nodes_per_move(r, 0), nodes_per_move(r, 1)}},
          {"llr", number_or_null(r.llr)},
          {"strength", elo_json(r.elo())}};
}

}  // namespace farrier
