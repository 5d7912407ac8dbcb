#include "selfplay/tune/tune_state.h"

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/search/search_params.h"

namespace farrier {
namespace {

using nlohmann::json;

json frozen(const TuneSettings& s) {
  json frozen = {{"pairs", s.schedule.pairs}, {"rate", s.schedule.rate}, {"seed", s.seed}};
  frozen["openings"] = {s.openings.random_plies, s.openings.max_score_cp, s.openings.check_nodes};
  for (std::size_t i = 0; i < s.variants.size(); ++i)
    frozen["games"].push_back({{"variant", variant_name(s.variants[i])},
                               {"evaluation", net_identity(s.bases[i].net.get())},
                               {"nodes", s.bases[i].hard_nodes.value_or(0)}});
  for (const Tunable& t : kTunables) frozen["base"][t.name] = s.bases[0].params.*t.value;
  for (const SpsaParameter& p : s.parameters)
    frozen["parameters"].push_back(
        {{"name", p.name}, {"start", p.value}, {"low", p.low}, {"high", p.high}, {"step", p.step}});
  return frozen;
}

}  // namespace

void write_tune_state(const TuneSettings& settings, const TuneResult& now) {
  json values = json::object();
  for (const SpsaParameter& p : now.parameters) values[p.name] = p.value;
  const json state = {
      {"format", "farrier tuning"}, {"settings", frozen(settings)}, {"pairs", now.pairs}, {"values", values}};
  write_file_whole(settings.state, state.dump(1) + "\n");
}

std::optional<TuneResult> read_tune_state(const TuneSettings& settings) {
  if (!std::filesystem::exists(settings.state)) return std::nullopt;
  const std::string place = settings.state.string();
  TuneResult found;
  found.parameters = settings.parameters;
  try {
    const json state = json::parse(read_file(settings.state));
    if (state.at("settings") != frozen(settings))
      throw UserError(place, "belongs to a run of other settings; give these, or another --state file");
    found.pairs = state.at("pairs").get<std::int64_t>();
    for (SpsaParameter& p : found.parameters) p.value = state.at("values").at(p.name).get<double>();
  } catch (const json::exception&) {
    throw UserError(place, "is no state of `farrier tune`; give another --state file");
  }
  return found;
}

}  // namespace farrier
