#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/core.h>

#include "trainer/sweep.h"

namespace farrier {
namespace {

using State = SweepResult::State;
using Row = std::vector<std::string>;

/// Keys that change what the validation loss means.
constexpr std::array<std::string_view, 5> kTargetKeys{"train.result_weight", "train.result_weight_end",
                                                      "train.loss", "train.loss_power", "train.scale_cp"};

struct Column {
  const char* title;
  const char* key;  // in a line of metrics
  int digits;
  double factor;
};
constexpr std::array kColumns{
    Column{"validation", "validation_loss", 6, 1}, Column{"score part", "validation_score_loss", 6, 1},
    Column{"result part", "validation_result_loss", 6, 1}, Column{"sign %", "sign_accuracy", 1, 100},
    Column{"calibration", "calibration_error", 4, 1}};

std::string number_text(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }

std::string elo_text(const SweepResult& r) {
  if (r.is_reference) return "reference";
  if (!r.elo) return "";
  const GameCounts& g = r.elo->games;
  if (!r.elo->elo) return fmt::format("+{} ={} -{}", g.wins, g.draws, g.losses);
  if (!r.elo->error) return fmt::format("{:+.1f} of +{} ={} -{}", *r.elo->elo, g.wins, g.draws, g.losses);
  return fmt::format("{:+.1f} +-{:.1f}", *r.elo->elo, *r.elo->error);
}

/// Columns side by side, the first `left` of them aligned to the left.
std::string laid_out(const std::vector<Row>& rows, std::size_t left) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += (c == 0 ? "" : "  ") + (c < left ? fmt::format("{:<{}}", row[c], widths[c])
                                               : fmt::format("{:>{}}", row[c], widths[c]));
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// "0.024189 +-0.000031" of a few values; without a spread for one.
std::string mean_text(const std::vector<double>& values, int digits) {
  if (values.empty()) return "";
  const double n = static_cast<double>(values.size());
  double mean = 0;
  for (double v : values) mean += v / n;
  double squares = 0;
  for (double v : values) squares += (v - mean) * (v - mean);
  std::string text = number_text(mean, digits);
  if (values.size() > 1) text += " +-" + number_text(std::sqrt(squares / (n - 1)), digits);
  return text;
}

std::string means_over_seeds(const SweepOutcome& outcome) {
  const std::size_t axes = outcome.points.front().settings.size();
  std::vector<Row> rows(1);
  for (std::size_t a = 0; a + 1 < axes; ++a)
    rows[0].push_back(last_part(outcome.points.front().settings[a].first));
  rows[0].push_back("seeds");
  for (const Column& column : kColumns) rows[0].push_back(column.title);
  rows[0].push_back("Elo");
  // Points of the same settings follow each other: the seed is the last axis.
  for (std::size_t i = 0; i < outcome.points.size();) {
    const auto same = [&](const SweepPoint& p) {
      return std::equal(p.settings.begin(), p.settings.end() - 1, outcome.points[i].settings.begin());
    };
    Row row;
    for (std::size_t a = 0; a + 1 < axes; ++a) row.push_back(outcome.points[i].settings[a].second);
    std::array<std::vector<double>, kColumns.size()> values;
    std::vector<double> elos;
    std::size_t seeds = 0;
    std::size_t next = i;
    for (; next < outcome.points.size() && same(outcome.points[next]); ++next) {
      const SweepResult& r = outcome.results[next];
      if (r.state != State::Finished || !r.best) continue;
      ++seeds;
      for (std::size_t c = 0; c < kColumns.size(); ++c)
        if (const auto value = number_in(*r.best, kColumns[c].key))
          values[c].push_back(*value * kColumns[c].factor);
      if (r.elo && r.elo->elo) elos.push_back(*r.elo->elo);
    }
    i = next;
    row.push_back(std::to_string(seeds));
    for (std::size_t c = 0; c < kColumns.size(); ++c) row.push_back(mean_text(values[c], kColumns[c].digits));
    row.push_back(mean_text(elos, 1));
    rows.push_back(std::move(row));
  }
  return "over seeds: mean +-standard deviation of one training\n" + laid_out(rows, axes - 1);
}

/// Why the trainings' validation losses can't be told from each other by their size, as a sentence; empty if they can.
std::string why_losses_differ(const std::vector<SweepPoint>& points) {
  const auto& first = points.front().settings;
  const auto varies = [&](auto&& test) {
    for (std::size_t a = 0; a < first.size(); ++a)
      if (test(first[a].first) && std::any_of(points.begin(), points.end(), [&](const SweepPoint& p) {
            return p.settings[a].second != first[a].second;
          }))
        return true;
    return false;
  };
  if (varies([](const std::string& key) {
        return key.starts_with("train.filters") || key == "train.validation_share";
      }))
    return "These are validated on different positions: their losses cannot be compared, their Elo can.\n";
  if (varies([](const std::string& key) {
        return std::find(kTargetKeys.begin(), kTargetKeys.end(), key) != kTargetKeys.end();
      }))
    return "Losses are measured in different ways here: compare the result part, the sign and the "
           "calibration.\n";
  return "";
}

std::optional<std::size_t> lowest_loss(const SweepOutcome& outcome) {
  std::optional<std::size_t> best;
  double lowest = 0;
  for (std::size_t i = 0; i < outcome.points.size(); ++i) {
    const SweepResult& r = outcome.results[i];
    if (r.state != State::Finished || !r.best) continue;
    const double loss = number_in(*r.best, "validation_loss").value_or(0);
    if (best && loss >= lowest) continue;
    best = i;
    lowest = loss;
  }
  return best;
}

const char* word_for(State state) {
  switch (state) {
    case State::Waiting:
      return "not reached";
    case State::Stopped:
      return "stopped";
    case State::Failed:
      return "failed";
    case State::Finished:
      break;
  }
  return "";
}

}  // namespace

std::string sweep_table(const SweepOutcome& outcome) {
  const auto& first = outcome.points.front().settings;
  std::vector<Row> rows(1);
  for (const auto& [key, value] : first) rows[0].push_back(last_part(key));
  rows[0].push_back("epoch");
  for (const Column& column : kColumns) rows[0].push_back(column.title);
  for (const char* title : {"seconds", "Elo", ""}) rows[0].push_back(title);

  const std::string note = why_losses_differ(outcome.points);
  const std::optional<std::size_t> best = note.empty() ? lowest_loss(outcome) : std::nullopt;
  std::string faults;
  for (std::size_t i = 0; i < outcome.points.size(); ++i) {
    const SweepResult& r = outcome.results[i];
    Row row;
    for (const auto& [key, value] : outcome.points[i].settings) row.push_back(value);
    row.push_back(r.best ? std::to_string(r.training.best_epoch) : "");
    for (const Column& column : kColumns) {
      const auto value = r.best ? number_in(*r.best, column.key) : std::nullopt;
      row.push_back(value ? number_text(*value * column.factor, column.digits) : "");
    }
    row.push_back(r.best ? number_text(r.training.seconds, 1) : "");
    row.push_back(elo_text(r));
    row.push_back(best == i ? "lowest loss" : word_for(r.state));
    rows.push_back(std::move(row));
    if (!r.fault.empty()) faults += fmt::format("{} failed: {}\n", outcome.points[i].name, r.fault);
  }
  std::string text = laid_out(rows, first.size());
  text += note;
  const bool has_seeds = first.back().first == "seed";
  if (has_seeds && outcome.points.size() > 1) text += "\n" + means_over_seeds(outcome);
  return text + (faults.empty() ? "" : "\n" + faults);
}

}  // namespace farrier
