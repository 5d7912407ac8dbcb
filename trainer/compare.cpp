#include "trainer/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "engine/base/error.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/metrics.h"

namespace farrier {
namespace {

namespace fs = std::filesystem;
using Settings = std::map<std::string, std::string>;

/// More rows of epochs than this tell nothing more.
constexpr std::size_t kMostEpochRows = 40;
/// Settings that change what the loss means.
constexpr std::array kTargetSettings{"result_weight", "loss", "loss_power", "scale_cp"};

struct Side {
  explicit Side(const fs::path& source) : metrics(load_training_metrics(source)) {
    try {
      const Checkpoint checkpoint = find_checkpoint(metrics.folder).checkpoint;
      variant = std::string(variant_name(checkpoint.variant));
      settings = parse_settings(checkpoint.settings);
    } catch (const UserError& e) {
      fault = e.what();
    }
  }

  /// "lr=0.001 hidden=64 ... from=...": a word without "=" belongs to the value before it, and all that follows "from="
  /// is a file's name and sum.
  static Settings parse_settings(std::string text) {
    Settings settings;
    constexpr std::string_view kFrom = " from=";
    if (const std::size_t from = text.find(kFrom); from != std::string::npos) {
      settings["from"] = text.substr(from + kFrom.size());
      text.resize(from);
    }
    std::string key;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      const std::string word = text.substr(at, end - at);
      at = end + 1;
      if (const std::size_t equals = word.find('='); equals != std::string::npos && equals > 0) {
        key = word.substr(0, equals);
        settings[key] = word.substr(equals + 1);
      } else if (!word.empty() && !key.empty()) {
        settings[key] += " " + word;
      }
    }
    return settings;
  }

  /// The line of an epoch; null if it was not trained.
  const MetricsLine* epoch(int number) const {
    for (const MetricsLine& line : metrics.epochs)
      if (line.value("epoch", 0) == number) return &line;
    return nullptr;
  }

  TrainingMetrics metrics;
  std::string variant;
  std::optional<Settings> settings;  // absent: see fault
  std::string fault;
};

/// Enough digits to tell losses apart, none to spare for seconds.
std::string number_text(double value) {
  const double size = std::abs(value);
  const int digits = size >= 100 || value == std::floor(value) ? 0 : size >= 1 ? 2 : 6;
  return fmt::format("{:.{}f}", value, digits);
}

std::string cell(const MetricsLine* line, const char* key) {
  if (line == nullptr || !number_in(*line, key)) return "-";
  return number_text(*number_in(*line, key));
}

/// A row of both numbers and, if both are known, their difference.
std::string number_row(const std::string& name, const MetricsLine* a, const MetricsLine* b, const char* key) {
  std::string row = fmt::format("  {:26}{:>18}{:>18}", name, cell(a, key), cell(b, key));
  if (a != nullptr && b != nullptr && number_in(*a, key) && number_in(*b, key)) {
    const double difference = *number_in(*b, key) - *number_in(*a, key);
    row += fmt::format("{:>18}", (difference > 0 ? "+" : "") + number_text(difference));
  }
  return row + "\n";
}

std::string settings_text(const Side& a, const Side& b) {
  std::string text;
  for (const auto& [name, side] : {std::pair{"A", &a}, std::pair{"B", &b}})
    if (!side->settings) text += fmt::format("settings of {} are unknown: {}\n", name, side->fault);
  if (!text.empty()) return text;
  std::vector<std::string> keys;
  for (const Side* side : {&a, &b})
    for (const auto& [key, value] : *side->settings)
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  const auto value_in = [](const Side& side, const std::string& key) {
    const auto found = side.settings->find(key);
    return found == side.settings->end() ? std::string("-") : found->second;
  };
  bool same_data = true;
  bool same_target = true;
  for (const std::string& key : keys) {
    const std::string left = value_in(a, key), right = value_in(b, key);
    if (left == right) continue;
    if (text.empty()) text = fmt::format("{:28}{:>18}{:>18}\n", "settings that differ", "A", "B");
    text += fmt::format("  {:26}{:>18}{:>18}\n", key, left, right);
    same_data &= key != "data" && key != "validation_share";
    same_target &= std::find(kTargetSettings.begin(), kTargetSettings.end(), key) == kTargetSettings.end();
  }
  if (text.empty()) return "settings and data are the same\n";
  if (!same_data)
    text += "They were validated on different positions, so their losses cannot be compared.\n";
  else if (!same_target)
    text +=
        "Their losses are measured in different ways: compare the result loss, the sign accuracy and "
        "the "
        "calibration error.\n";
  return text;
}

std::string epochs_text(const Side& a, const Side& b) {
  std::string text = fmt::format("{:8}{:>13}{:>15}{:>13}{:>15}\n", "epoch", "A train", "A validation",
                                 "B train", "B validation");
  int last = 0;
  for (const Side* side : {&a, &b})
    for (const MetricsLine& line : side->metrics.epochs) last = std::max(last, line.value("epoch", 0));
  const int between = 1 + (last - 1) / static_cast<int>(kMostEpochRows);
  const int best_a = a.metrics.best().value("epoch", 0);
  const int best_b = b.metrics.best().value("epoch", 0);
  for (int epoch = 1; epoch <= last; ++epoch) {
    if (epoch % between != 0 && epoch != best_a && epoch != best_b && epoch != last) continue;
    const MetricsLine* left = a.epoch(epoch);
    const MetricsLine* right = b.epoch(epoch);
    if (left == nullptr && right == nullptr) continue;
    text += fmt::format("  {:6}{:>13}{:>14}{:1}{:>13}{:>14}{}\n", epoch, cell(left, "train_loss"),
                        cell(left, "validation_loss"), epoch == best_a ? "*" : "", cell(right, "train_loss"),
                        cell(right, "validation_loss"), epoch == best_b ? "*" : "");
  }
  return text;
}

std::string best_text(const Side& a, const Side& b) {
  std::string text = fmt::format("{:28}{:>18}{:>18}{:>18}\n", "best epoch (*)", "A", "B", "B - A");
  std::vector<std::string> keys;
  for (const Side* side : {&a, &b})
    for (const auto& [key, value] : side->metrics.best().items())
      if (value.is_number() && key != "time" && std::find(keys.begin(), keys.end(), key) == keys.end())
        keys.push_back(key);
  for (const std::string& key : keys)
    text += number_row(key, &a.metrics.best(), &b.metrics.best(), key.c_str());
  return text;
}

/// The entries of a list in a line by the text of one of their keys, in the order of both.
struct Pairing {
  std::vector<std::string> names;
  std::map<std::string, const MetricsLine*> a, b;

  Pairing(const Side& left, const Side& right, const char* list, const char* name_key) {
    for (auto [side, entries] : {std::pair{&left, &a}, std::pair{&right, &b}}) {
      const MetricsLine& line = side->metrics.best();
      if (!line.contains(list) || !line[list].is_array()) continue;
      for (const MetricsLine& entry : line[list]) {
        if (!entry.contains(name_key)) continue;
        const MetricsLine& name = entry[name_key];
        const std::string text = name.is_string() ? name.get<std::string>() : name.dump();
        (*entries)[text] = &entry;
        if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(text);
      }
    }
  }
  static const MetricsLine* find(const std::map<std::string, const MetricsLine*>& entries,
                                 const std::string& name) {
    const auto found = entries.find(name);
    return found == entries.end() ? nullptr : found->second;
  }
};

std::string phases_text(const Side& a, const Side& b) {
  std::string text;
  const Pairing phases(a, b, "phases", "phase");
  if (phases.names.empty()) return text;
  for (const auto& [key, title] :
       {std::pair{"score_loss", "score loss by phase"}, std::pair{"result_loss", "result loss by phase"}}) {
    text += fmt::format("{:28}{:>18}{:>18}{:>18}\n", title, "A", "B", "B - A");
    for (const std::string& name : phases.names)
      text += number_row(name, Pairing::find(phases.a, name), Pairing::find(phases.b, name), key);
  }
  return text;
}

std::string calibration_text(const Side& a, const Side& b) {
  Pairing bins(a, b, "calibration", "from");
  if (bins.names.empty()) return "";
  std::sort(bins.names.begin(), bins.names.end());
  std::string text =
      fmt::format("{:15}{:>13}{:>10}{:>11}{:>15}{:>10}{:>11}\n", "forecast from", "A positions", "forecast",
                  "came true", "B positions", "forecast", "came true");
  for (const std::string& name : bins.names) {
    const MetricsLine* left = Pairing::find(bins.a, name);
    const MetricsLine* right = Pairing::find(bins.b, name);
    text += fmt::format("  {:13}{:>13}{:>10}{:>11}{:>15}{:>10}{:>11}\n", name, cell(left, "positions"),
                        cell(left, "forecast"), cell(left, "result"), cell(right, "positions"),
                        cell(right, "forecast"), cell(right, "result"));
  }
  return text;
}

}  // namespace

std::string compare_trainings(const fs::path& a, const fs::path& b) {
  const Side left(a), right(b);
  std::string text;
  for (const auto& [name, side] : {std::pair{"A", &left}, std::pair{"B", &right}})
    text += fmt::format("{}  {}{}{}\n", name, side->metrics.folder.string(),
                        side->variant.empty() ? "" : ", ", side->variant);
  for (const std::string& part :
       {settings_text(left, right), epochs_text(left, right), best_text(left, right),
        phases_text(left, right), calibration_text(left, right)})
    if (!part.empty()) text += "\n" + part;
  return text;
}

}  // namespace farrier
