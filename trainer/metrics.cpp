#include "trainer/metrics.h"

#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "trainer/checkpoint.h"

namespace farrier {
namespace {

namespace fs = std::filesystem;

std::string cell(const MetricsLine& line, const char* key, const char* format) {
  const auto value = number_in(line, key);
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

/// The array under `key`; an empty one if there is none.
const MetricsLine& list_in(const MetricsLine& line, const char* key) {
  static const MetricsLine none = MetricsLine::array();
  const auto found = line.find(key);
  return found != line.end() && found->is_array() ? *found : none;
}

fs::path find_metrics(const fs::path& source) {
  for (const fs::path& folder : {source, source / "train"})
    if (fs::exists(folder / kMetricsName)) return folder;
  fs::path newest;
  if (fs::is_directory(source))
    for (const auto& entry : fs::directory_iterator(source))
      if (entry.path().filename().string().starts_with("gen-") &&
          fs::exists(entry.path() / "train" / kMetricsName))
        newest = std::max(newest, entry.path() / "train");
  if (!newest.empty()) return newest;
  throw UserError(source.string(),
                  fs::exists(source)
                      ? fmt::format("holds no {}; give the folder of a training, of a generation or of a run",
                                    kMetricsName)
                      : "does not exist; give the folder of a training, of a generation or of a run");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace

std::optional<double> number_in(const MetricsLine& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

const MetricsLine& TrainingMetrics::best() const {
  const auto is_best = [](const MetricsLine& line) { return line.value("best", false); };
  const auto found = std::find_if(epochs.rbegin(), epochs.rend(), is_best);
  return found == epochs.rend() ? epochs.back() : *found;
}

std::vector<MetricsLine> parse_metrics(const std::vector<std::string>& lines, const std::string& origin) {
  std::vector<MetricsLine> parsed;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    parsed.push_back(MetricsLine::parse(lines[i], nullptr, false));
    // They are told one epoch after the other, without a gap.
    const auto epoch = parsed.back().is_object() ? number_in(parsed.back(), "epoch") : std::nullopt;
    if (!epoch || *epoch != static_cast<double>(i + 1) ||
        !parsed.back().value("best", MetricsLine(false)).is_boolean())
      throw UserError(
          fmt::format("{}:{}", origin, i + 1),
          fmt::format("is not the line of metrics of epoch {}; the same `farrier train` writes the file "
                      "anew",
                      i + 1));
  }
  return parsed;
}

void write_metrics(const fs::path& folder, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write_file_whole(folder / kMetricsName, text);
}

TrainingMetrics load_training_metrics(const fs::path& source) {
  TrainingMetrics metrics;
  metrics.folder = find_metrics(source);
  const fs::path file = metrics.folder / kMetricsName;
  metrics.epochs = parse_metrics(lines_of(read_file(file)), file.string());
  if (metrics.epochs.empty())
    throw UserError(file.string(), "tells of no finished epoch yet; train on with the same `farrier train`");
  return metrics;
}

std::vector<Scalar> scalars_of(const MetricsLine& line) {
  std::vector<Scalar> scalars;
  for (const auto& [key, value] : line.items()) {
    if (!value.is_number() || key == "epoch" || key == "steps" || key == "time") continue;
    std::string tag = "epoch/" + key;
    for (const char* group : {"train", "validation"})
      if (const std::string start = std::string(group) + "_"; key.starts_with(start))
        tag = std::string(group) + "/" + (start == "train_" ? "epoch_" : "") + key.substr(start.size());
    if (key == "sign_accuracy" || key == "calibration_error") tag = "validation/" + key;
    scalars.push_back({tag, value.get<float>()});
  }
  for (const MetricsLine& phase : list_in(line, "phases"))
    for (const char* key : {"score_loss", "result_loss"})
      scalars.push_back({fmt::format("phase {}/{}", key, phase.value("phase", "")),
                         static_cast<float>(number_in(phase, key).value_or(0))});
  return scalars;
}

std::string validation_report(const MetricsLine& line) {
  std::string text = fmt::format("best epoch {}: validation loss {} (score part {}, result part {})\n",
                                 cell(line, "epoch", "{:.0f}"), cell(line, "validation_loss", "{:.6f}"),
                                 cell(line, "validation_score_loss", "{:.6f}"),
                                 cell(line, "validation_result_loss", "{:.6f}"));
  if (const auto accuracy = number_in(line, "sign_accuracy"))
    text += fmt::format("the forecast favours the winner in {:.1f}% of the positions of decisive games\n",
                        100 * *accuracy);
  const MetricsLine& phases = list_in(line, "phases");
  if (!phases.empty()) {
    text += fmt::format("  {:16}{:>10}{:>10}{:>12}{:>13}\n", "phase", "positions", "loss", "score part",
                        "result part");
    for (const MetricsLine& phase : phases)
      text += fmt::format("  {:16}{:>10}{:>10}{:>12}{:>13}\n", phase.value("phase", "?"),
                          cell(phase, "positions", "{:.0f}"), cell(phase, "loss", "{:.6f}"),
                          cell(phase, "score_loss", "{:.6f}"), cell(phase, "result_loss", "{:.6f}"));
  }
  const MetricsLine& bins = list_in(line, "calibration");
  if (!bins.empty()) {
    text += fmt::format("  {:16}{:>10}{:>10}{:>12}\n", "forecast of", "positions", "forecast", "came true");
    for (const MetricsLine& bin : bins)
      text += fmt::format("  {:16}{:>10}{:>10}{:>12}\n",
                          fmt::format("{:.0f} to {:.0f}%", 100 * number_in(bin, "from").value_or(0),
                                      100 * number_in(bin, "from").value_or(0) + 10),
                          cell(bin, "positions", "{:.0f}"), cell(bin, "forecast", "{:.3f}"),
                          cell(bin, "result", "{:.3f}"));
    text += fmt::format("  calibration error, the mean distance of the two: {}\n",
                        cell(line, "calibration_error", "{:.4f}"));
  }
  return text;
}

}  // namespace farrier
