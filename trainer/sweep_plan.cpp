#include "trainer/sweep_plan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <set>
#include <sstream>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "engine/base/error.h"

namespace farrier {
namespace {

constexpr std::size_t kLongestName = 120;
constexpr std::int64_t kMostTrainings = 100'000;
/// What a training on given data does not depend on.
constexpr std::array kOtherSections{"selfplay", "gate", "run", "name", "variant"};

/// The parts of `text` between commas that stand in no bracket, brace or quote.
std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  return parts;
}

std::vector<std::string> split_key(const std::string& key) {
  std::vector<std::string> parts(1);
  for (char c : key) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// A table that holds "value" alone; a text may come without quotes, since shells take them away.
toml::table parse_value(const std::string& value, const std::string& place) {
  for (const std::string& text : {"value = " + value, "value = \"" + value + "\""}) {
    try {
      // More than one key: the value goes on on a line of its own.
      if (toml::table table = toml::parse(text); table.size() == 1) return table;
    } catch (const toml::parse_error&) {
    }
  }
  throw WrongCall(place, "is no TOML value; write a number, true or false, or a text");
}

/// Sets a dotted key, making the tables on its way.
void set_value(toml::table& table, const std::string& key, const std::string& value,
               const std::string& place) {
  const std::vector<std::string> path = split_key(key);
  toml::table* at = &table;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    at->insert(path[i], toml::table());  // which does nothing if it is there
    at = at->get(path[i])->as_table();
    if (at == nullptr) throw WrongCall(place, fmt::format("'{}' is no section of an experiment", path[i]));
  }
  const toml::table parsed = parse_value(value, place);
  if (parsed.get("value")->is_table())
    throw WrongCall(place, "would replace a whole section; give its keys one by one, such as train.lr");
  parsed.get("value")->visit([&](const auto& node) { at->insert_or_assign(path.back(), node); });
}

using Setting = std::pair<std::string, std::string>;

/// The experiment with these settings. Its text is a file again, which gives the same experiment.
Experiment with_settings(const Experiment& base, const std::vector<Setting>& settings) {
  toml::table table = toml::parse(base.text);
  table.insert_or_assign("name", base.name);
  std::vector<std::string> told;
  for (const auto& [key, value] : settings) told.push_back(fmt::format("--set {}={}", key, value));
  const std::string place = fmt::format("{}", fmt::join(told, " "));
  for (const auto& [key, value] : settings) set_value(table, key, value, place);
  std::ostringstream text;
  text << table << "\n";
  try {
    return parse_experiment(text.str(), place);
  } catch (const UserError& e) {
    // The line that it names is one of a file that nobody has seen.
    const std::string message = e.what();
    const std::size_t reason = message.find(": ", place.size());
    throw WrongCall(place, reason == std::string::npos ? message : message.substr(reason + 2));
  }
}

void check_section(const std::string& key) {
  const std::string section = split_key(key).front();
  if (std::find(kOtherSections.begin(), kOtherSections.end(), section) != kOtherSections.end())
    throw WrongCall(
        "--set " + key,
        "changes nothing in a training on given data; a sweep takes keys of [net] and [train], or seed");
}

/// Letters that need no quotes in a shell; others become '-'.
std::string plain(const std::string& text) {
  std::string out;
  for (char c : text) {
    const bool fine =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+' || c == '_';
    if (fine || (!out.empty() && out.back() != '-')) out += fine ? c : '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

/// 8 hex digits of a text (FNV-1a), to tell apart names that are cut or stripped.
std::string digest(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return fmt::format("{:08x}", hash);
}

std::string folder_name(const std::vector<Setting>& settings, const std::vector<std::string>& short_keys) {
  std::string name, whole;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& [key, value] = settings[i];
    name += fmt::format("{}{}={}", i == 0 ? "" : ",", short_keys[i], plain(value));
    whole += fmt::format("{}{}={}", i == 0 ? "" : ",", short_keys[i], value);
  }
  if (name == whole && name.size() <= kLongestName) return name;
  return name.substr(0, kLongestName - 9) + "-" + digest(whole);
}

/// The last part of each key, unless two keys share it.
std::vector<std::string> shorten(const std::vector<SweepAxis>& axes) {
  std::vector<std::string> names;
  for (const SweepAxis& axis : axes) {
    const auto last = [](const SweepAxis& a) { return split_key(a.key).back(); };
    const auto same =
        std::count_if(axes.begin(), axes.end(), [&](const auto& a) { return last(a) == last(axis); });
    names.push_back(same > 1 ? axis.key : last(axis));
  }
  return names;
}

}  // namespace

SweepAxis parse_sweep_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string place = "--set " + text;
  if (equals == std::string::npos || equals == 0)
    throw WrongCall(place, "must be KEY=VALUE,VALUE,... such as train.lr=1e-3,5e-4");
  SweepAxis axis{text.substr(0, equals), split_values(text.substr(equals + 1))};
  for (const std::string& part : split_key(axis.key))
    if (part.empty())
      throw WrongCall(place, "has an empty part in its key; write SECTION.KEY, such as train.lr");
  std::set<std::string> seen;
  for (const std::string& value : axis.values) {
    if (value.empty()) throw WrongCall(place, "has an empty value");
    std::ostringstream plain_text;  // the same for 1e-3 and 0.001
    plain_text << parse_value(value, place);
    if (!seen.insert(plain_text.str()).second)
      throw WrongCall(place, fmt::format("has the value {} twice", value));
  }
  return axis;
}

std::vector<SweepPoint> plan_sweep(const Experiment& experiment, const std::vector<SweepAxis>& given,
                                   int seeds) {
  std::vector<SweepAxis> axes = given;
  std::set<std::string> keys;
  std::int64_t count = seeds;
  for (const SweepAxis& axis : axes) {
    if (!keys.insert(axis.key).second) throw WrongCall("--set " + axis.key, "is given twice");
    check_section(axis.key);
    count *= static_cast<std::int64_t>(axis.values.size());
    if (count > kMostTrainings)
      throw WrongCall("--set " + axis.key, fmt::format("makes more than {} trainings", kMostTrainings));
  }
  if (seeds > 1) {
    if (keys.contains("seed")) throw WrongCall("--seeds", "cannot be combined with --set seed=...");
    // TOML's numbers are signed.
    if (experiment.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() - (seeds - 1)))
      throw WrongCall("--seeds",
                      fmt::format("counts on from seed {}, beyond the largest one; give a smaller seed",
                                  experiment.seed));
    SweepAxis& axis = axes.emplace_back();
    axis.key = "seed";
    for (int i = 0; i < seeds; ++i)
      axis.values.push_back(std::to_string(experiment.seed + static_cast<std::uint64_t>(i)));
  }
  if (axes.empty())
    throw WrongCall("sweep", "has nothing to vary; give --set KEY=VALUE,VALUE,... or --seeds N");

  const std::vector<std::string> short_keys = shorten(axes);
  std::vector<SweepPoint> points;
  for (std::int64_t i = 0; i < count; ++i) {
    SweepPoint& point = points.emplace_back();
    std::int64_t rest = i;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
      const auto values = static_cast<std::int64_t>(axis->values.size());
      point.settings.emplace_back(axis->key, axis->values[static_cast<std::size_t>(rest % values)]);
      rest /= values;
    }
    std::reverse(point.settings.begin(), point.settings.end());
    point.name = folder_name(point.settings, short_keys);
    point.experiment = with_settings(experiment, point.settings);
  }
  return points;
}

}  // namespace farrier
