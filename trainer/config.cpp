#include "trainer/config.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/nnue/net_file.h"
#include "trainer/schedule_config.h"
#include "trainer/toml_section.h"

namespace farrier {
namespace {

constexpr int kMany = 1'000'000'000;

template <class T>
void read_per_generation(TomlSection& s, std::string_view key, std::int64_t low, std::int64_t high,
                         PerGeneration<T>& value) {
  std::vector<std::int64_t> values(value.values().begin(), value.values().end());
  s.read(key, low, high, values);
  value = PerGeneration<T>(std::vector<T>(values.begin(), values.end()));
}

void read_per_generation(TomlSection& s, std::string_view key, double low, double high,
                         PerGeneration<double>& value) {
  std::vector<double> values = value.values();
  s.read(key, low, high, values);
  value = PerGeneration<double>(std::move(values));
}

void read_selfplay(TomlSection s, SelfplayConfig& c) {
  read_per_generation(s, "soft_nodes", std::int64_t{1}, std::int64_t{kMany}, c.soft_nodes);
  read_per_generation(s, "positions", std::int64_t{1}, std::int64_t{1'000'000'000'000}, c.positions);
  read_per_generation(s, "late_soft_nodes", std::int64_t{0}, std::int64_t{kMany}, c.late_soft_nodes);
  s.read("late_ply", 0, 2000, c.late_ply);
  s.read("node_spread", 0.0, 0.99, c.node_spread);
  s.read("threads", 1, 256, c.threads);
  s.read("explore_share", 0.0, 1.0, c.explore_share);
  s.read("explore_lines", 2, 100, c.explore_lines);
  s.read("explore_temperature_cp", 0.1, 10000.0, c.explore_temperature_cp);
  s.read("explore_max_loss_cp", 0, 10000, c.explore_max_loss_cp);
  s.read("explore_last_ply", 0, 2000, c.explore_last_ply);
  s.read("first_net", c.first_net);
  s.read("book", c.book);
  s.read("book_plies", 0, 400, c.book_plies);
  s.read("games_per_shard", 1, 1'000'000, c.games_per_shard);
  s.read("hash_mib", 1, 65536, c.hash_mib);
  s.read("workers", 0, 1024, c.workers);
  s.read("material_noise_cp", 0, 1000, c.material_noise_cp);
  s.read("random_plies", 0, 100, c.random_plies);
  s.read("opening_limit_cp", 1, 32000, c.opening_limit_cp);
  s.read("adjudication_score_cp", 1, 32000, c.adjudication_score_cp);
  s.read("adjudication_plies", 0, 1000, c.adjudication_plies);
  s.read("played_out_share", 0.0, 1.0, c.played_out_share);
  s.refuse_unknown_keys();
}

void read_filters(TomlSection s, PositionFilters& c) {
  s.read("in_check", c.in_check);
  s.read("noisy", c.noisy);
  s.read("checking_drops", c.checking_drops);
  s.read("exploratory", c.exploratory);
  s.read("max_score_cp", 1, 32000, c.max_score_cp);
  s.read("first_plies", 0, 1000, c.first_plies);
  s.refuse_unknown_keys();
}

/// An array of whole numbers, empty if the key is absent.
void read_ints(TomlSection& s, std::string_view key, int high, std::vector<int>& values) {
  std::vector<std::int64_t> wide;
  s.read(key, std::int64_t{0}, std::int64_t{high}, wide, /*empty_too=*/true);
  values.assign(wide.begin(), wide.end());
}

void read_net(TomlSection s, Variant variant, NetConfig& c) {
  read_per_generation(s, "hidden", std::int64_t{1}, std::int64_t{65536}, c.hidden);
  s.read("mirror", c.shape.features.mirror);
  s.read("promoted", c.shape.features.promoted);
  read_ints(s, "king_buckets", kSquareCount - 1, c.shape.features.king_buckets);
  std::string activation(activation_name(c.shape.activation));
  s.read("activation", activation);
  const auto named = std::find_if(kActivations.begin(), kActivations.end(),
                                  [&](Activation a) { return activation_name(a) == activation; });
  if (named == kActivations.end())
    s.fail("activation",
           fmt::format("'net.activation' is '{}'; it is one of {}", activation, activation_names()));
  c.shape.activation = *named;
  read_ints(s, "layers", 65536, c.shape.layers);
  read_ints(s, "board_buckets", 65536, c.shape.board_buckets);
  read_ints(s, "hand_buckets", 65536, c.shape.hand_buckets);
  s.refuse_unknown_keys();
  for (std::size_t generation = 0; generation < c.hidden.values().size(); ++generation) {
    const ArchitectureFault fault = find_fault(c.at(static_cast<int>(generation)), variant);
    if (!fault.reason.empty()) s.fail(fault.setting, fmt::format("'net.{}' {}", fault.setting, fault.reason));
  }
}

double highest_rate(const TrainConfig& c) {
  if (c.lr_schedule.empty()) return c.lr;
  double highest = 0;
  for (const LrPhase& phase : c.lr_schedule)
    highest = std::max({highest, phase.start.value_or(0), phase.end});
  return highest;
}

void read_train(TomlSection s, TrainConfig& c) {
  if (s.has("hidden")) s.fail("hidden", "'train.hidden' has become 'net.hidden'; move it under [net]");
  read_per_generation(s, "epochs", std::int64_t{1}, std::int64_t{100'000}, c.epochs);
  s.read("batch", 1, 1'000'000, c.batch);
  read_learning_rate(s, c);
  s.read("weight_decay", 0.0, 10.0, c.weight_decay);
  if (const double shrinking = c.weight_decay * highest_rate(c); shrinking >= 1)
    s.fail("weight_decay", fmt::format("'train.weight_decay' times the highest learning rate is {:g}: each "
                                       "step would take away more than "
                                       "the weights; keep it below 1",
                                       shrinking));
  s.read("beta1", 0.0, 0.9999, c.beta1);
  s.read("beta2", 0.0, 0.999999, c.beta2);
  s.read("epsilon", 1e-15, 1.0, c.epsilon);
  s.read("max_grad_norm", 0.0, 1e9, c.max_grad_norm);
  read_per_generation(s, "result_weight", 0.0, 1.0, c.result_weight);
  PerGeneration<double> result_weight_end = c.result_weight;
  read_per_generation(s, "result_weight_end", 0.0, 1.0, result_weight_end);
  if (s.has("result_weight_end")) c.result_weight_end = result_weight_end;
  read_loss(s, c.loss);
  s.read("scale_cp", 0, Net::kMostScaleCp, c.scale_cp);
  s.read("validation_share", 0.001, 0.5, c.validation_share);
  s.read("patience", 0, 100'000, c.patience);
  read_per_generation(s, "window", std::int64_t{1}, std::int64_t{100'000}, c.window);
  read_per_generation(s, "older_weight", 0.001, 100.0, c.older_weight);
  s.read("threads", 0, 1024, c.threads);
  read_filters(s.section("filters"), c.filters);
  s.refuse_unknown_keys();
}

void read_gate(TomlSection s, GateConfig& c) {
  s.read("nodes", 1, kMany, c.nodes);
  s.read("games", 2, kMany, c.games);
  if (c.games % 2 != 0)
    s.fail("games",
           fmt::format("'gate.games' ({}) must be even: openings are played with both colours", c.games));
  s.read("elo0", -1000.0, 1000.0, c.elo0);
  s.read("elo1", -1000.0, 1000.0, c.elo1);
  if (c.elo0.has_value() != c.elo1.has_value())
    s.fail(c.elo0 ? "elo0" : "elo1", "'gate.elo0' and 'gate.elo1' go together; give both or none");
  if (c.elo0 && *c.elo0 >= *c.elo1)
    s.fail("elo0", fmt::format("'gate.elo0' ({}) must be below 'gate.elo1' ({})", *c.elo0, *c.elo1));
  s.refuse_unknown_keys();
}

void read_run(TomlSection s, RunConfig& c) {
  s.read("generations", 1, kMostGenerations, c.generations);
  s.read("hours", 0.001, 100'000.0, c.hours);
  s.refuse_unknown_keys();
}

void check_name(const TomlSection& s, const std::string& name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  if (name.empty() || name.front() == '.' || !std::all_of(name.begin(), name.end(), allowed))
    s.fail(
        "name",
        fmt::format("name '{}'{} will name a folder; use letters, digits, '-', '_' and '.', and begin with "
                    "no '.'",
                    name, s.has("name") ? "" : ", the file's as there is no key 'name',"));
}

void read_sections(TomlSection& top, Experiment& e) {
  read_selfplay(top.section("selfplay"), e.selfplay);
  read_net(top.section("net"), e.variant, e.net);
  read_train(top.section("train"), e.train);
  read_gate(top.section("gate"), e.gate);
  read_run(top.section("run"), e.run);
}

template <class Parts>
std::string joined(const Parts& parts, char open, char close) {
  return fmt::format("{}{}{}", open, fmt::join(parts, ", "), close);
}

/// Numbers as short as they can be: 0.003, where toml++ writes seventeen digits.
std::string value_text(const toml::node& node) {
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  std::vector<std::string> parts;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& item : *array) parts.push_back(value_text(item));
    return joined(parts, '[', ']');
  }
  if (const toml::table* table = node.as_table()) {
    for (auto&& [key, item] : *table) parts.push_back(fmt::format("{} = {}", key.str(), value_text(item)));
    return joined(parts, '{', '}');
  }
  std::ostringstream text;
  node.visit([&](const auto& n) { text << n; });
  return text.str();
}

void add_settings(const toml::table& table, const std::string& prefix, SettingsByName& settings) {
  for (auto&& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* inner = node.as_table())
      add_settings(*inner, name + ".", settings);
    else
      settings[name] = value_text(node);
  }
}

}  // namespace

SettingsByName settings_of(const Experiment& experiment) {
  SettingsByName settings;
  add_settings(toml::parse(experiment.text), "", settings);
  return settings;
}

SettingsByName settings_of(const Experiment& experiment, const std::string& section) {
  SettingsByName settings = settings_of(experiment);
  std::erase_if(settings, [&](const auto& setting) { return !setting.first.starts_with(section + "."); });
  return settings;
}

Experiment parse_experiment(const std::string& text, const std::string& origin) {
  toml::table table;
  try {
    table = toml::parse(text, origin);
  } catch (const toml::parse_error& e) {
    throw UserError(fmt::format("{}:{}", origin, e.source().begin.line),
                    fmt::format("not valid TOML: {}", e.description()));
  }

  Experiment e;
  e.text = text;
  auto top = TomlSection::top_level(table, origin, [](TomlSection& names) {
    Experiment defaults;
    read_sections(names, defaults);
  });
  e.name = std::filesystem::path(origin).stem().string();
  top.read("name", e.name);
  check_name(top, e.name);
  if (!top.has("variant")) {
    top.expect({"variant", "seed", "selfplay", "net", "train", "gate", "run"});
    top.refuse_unknown_keys();
    throw UserError(origin, fmt::format("key 'variant' is missing; add variant = \"...\" with one of {}",
                                        variant_names()));
  }
  std::string variant;
  top.read("variant", variant);
  if (const auto v = variant_from_name(variant)) {
    e.variant = *v;
  } else {
    top.fail("variant", fmt::format("unknown variant '{}'; it is one of {}", variant, variant_names()));
  }
  auto seed = static_cast<std::int64_t>(e.seed);
  top.read("seed", std::int64_t{0}, std::numeric_limits<std::int64_t>::max(), seed);
  e.seed = static_cast<std::uint64_t>(seed);

  read_sections(top, e);
  top.refuse_unknown_keys();
  return e;
}

Experiment load_experiment(const std::filesystem::path& path) {
  return parse_experiment(read_file(path), path.string());
}

}  // namespace farrier
