#include "trainer/run_state.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/files.h"

namespace farrier {

using nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MatchNote, wins, draws, losses, elo, won)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GenerationState::Data, games, positions, white_wins, draws, black_wins,
                                   bytes_per_position)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GenerationState::Training, hidden, epochs, positions, scale_cp,
                                   validation_loss)

namespace {

template <class T>
json to_json_or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

template <class T>
std::optional<T> from_json_or_null(const json& j) {
  return j.is_null() ? std::nullopt : std::optional<T>(j.get<T>());
}

json to_json(const GenerationState& g) {
  return {{"player", g.player},
          {"data", to_json_or_null(g.data)},
          {"training", to_json_or_null(g.training)},
          {"net", g.net},
          {"float_error_cp", g.float_error_cp},
          {"gate", to_json_or_null(g.gate)},
          {"settings", g.settings},
          {"seconds", g.seconds}};
}

GenerationState generation_from_json(const json& j) {
  GenerationState g;
  g.player = j.at("player");
  g.data = from_json_or_null<GenerationState::Data>(j.at("data"));
  g.training = from_json_or_null<GenerationState::Training>(j.at("training"));
  g.net = j.at("net");
  g.float_error_cp = j.at("float_error_cp");
  g.gate = from_json_or_null<MatchNote>(j.at("gate"));
  g.settings = j.at("settings");
  g.seconds = j.at("seconds");
  return g;
}

std::filesystem::path state_file(const std::filesystem::path& folder) { return folder / "state.json"; }

}  // namespace

double RunState::seconds() const {
  double sum = 0;
  for (const GenerationState& g : generations) sum += g.seconds;
  return sum;
}

RunState load_state(const std::filesystem::path& folder) {
  RunState state;
  if (!std::filesystem::exists(state_file(folder))) return state;
  try {
    const json j = json::parse(read_file(state_file(folder)));
    state.name = j.at("name");
    state.seed = j.at("seed");
    state.variant = variant_from_name(j.at("variant").get<std::string>()).value();
    state.gate_nodes = j.at("gate_nodes");
    state.best = j.at("best");
    state.final_match = from_json_or_null<MatchNote>(j.at("final_match"));
    state.final_generation = j.at("final_generation");
    for (const json& g : j.at("generations")) state.generations.push_back(generation_from_json(g));
    const int begun = static_cast<int>(state.generations.size());
    if (state.best < -1 || state.best >= begun ||
        (state.best >= 0 && state.generations[static_cast<std::size_t>(state.best)].net.empty()))
      throw std::out_of_range("no such best net");
    for (const GenerationState& g : state.generations)
      if ((g.training && !g.data) || (g.gate ? !g.training : &g != &state.generations.back()))
        throw std::out_of_range("a generation lacks a stage");
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& e) {
    throw UserError(
        state_file(folder).string(),
        fmt::format(
            "is damaged ({}); put a copy of it back, or remove this file alone: a run whose settings never "
            "changed finds its games, nets and matches again",
            e.what()));
  }
  return state;
}

void save_state(const RunState& state, const std::filesystem::path& folder) {
  json generations = json::array();
  for (const GenerationState& g : state.generations) generations.push_back(to_json(g));
  const json j = {{"name", state.name},
                  {"seed", state.seed},
                  {"variant", std::string(variant_name(state.variant))},
                  {"gate_nodes", state.gate_nodes},
                  {"best", state.best},
                  {"final_match", to_json_or_null(state.final_match)},
                  {"final_generation", state.final_generation},
                  {"generations", generations}};
  write_file_whole(state_file(folder), j.dump(2) + "\n");
}

std::filesystem::path generation_folder(const std::filesystem::path& folder, int generation) {
  return folder / fmt::format("gen-{:03}", generation);
}

std::filesystem::path best_net(const RunState& state, const std::filesystem::path& folder) {
  if (state.best < 0) return {};
  return generation_folder(folder, state.best) / state.generations[static_cast<std::size_t>(state.best)].net;
}

}  // namespace farrier
