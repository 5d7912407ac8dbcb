#include "selfplay/records/score_table.h"

#include <cstdlib>

#include <fmt/format.h>

#include "engine/search/score.h"

namespace farrier {
namespace {

static_assert(ScoreTable::kFrom.back() == kMateInMaxPly);

constexpr std::size_t kLevel = ScoreTable::kFrom.size() - 1;

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void ScoreTable::add(int score_cp_stm, int result_stm) {
  std::size_t size = 0;
  while (size + 1 < kFrom.size() && std::abs(score_cp_stm) >= kFrom[size + 1]) ++size;
  Bin& bin = bins_[score_cp_stm < 0 ? kLevel - size : kLevel + size];
  ++(result_stm > 0 ? bin.wins : result_stm < 0 ? bin.losses : bin.draws);
}

void ScoreTable::add(const ScoreTable& other) {
  for (std::size_t i = 0; i < kBins; ++i) {
    bins_[i].wins += other.bins_[i].wins;
    bins_[i].draws += other.bins_[i].draws;
    bins_[i].losses += other.bins_[i].losses;
  }
}

std::string ScoreTable::bin_name(std::size_t bin) {
  if (bin == 0) return "mated";
  if (bin == kBins - 1) return "mates";
  if (bin == kLevel) return fmt::format("within {}", kFrom[1]);
  const bool won = bin > kLevel;
  const std::size_t size = won ? bin - kLevel : kLevel - bin;
  const char* sign = won ? "+" : "-";
  if (size + 2 == kFrom.size()) return fmt::format("{}{} and more", sign, kFrom[size]);
  return fmt::format("{}{} to {}{}", sign, kFrom[size], sign, kFrom[size + 1] - 1);
}

std::uint64_t ScoreTable::positions() const {
  std::uint64_t sum = 0;
  for (const Bin& bin : bins_) sum += bin.positions();
  return sum;
}

std::uint64_t ScoreTable::clear_scores() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBins; ++i)
    if (i + 1 < kLevel || i > kLevel + 1) sum += bins_[i].wins + bins_[i].losses;
  return sum;
}

double ScoreTable::coherence() const {
  std::uint64_t agreeing = 0;
  for (std::size_t i = 0; i < kBins; ++i) {
    if (i + 1 < kLevel) agreeing += bins_[i].losses;
    if (i > kLevel + 1) agreeing += bins_[i].wins;
  }
  return share(agreeing, clear_scores());
}

std::string score_table_text(const ScoreTable& table) {
  std::string text = "  score, cp         positions       won     drawn      lost\n";
  const std::uint64_t all = table.positions();
  for (std::size_t i = 0; i < ScoreTable::kBins; ++i) {
    const ScoreTable::Bin& bin = table.bins()[i];
    const std::uint64_t n = bin.positions();
    if (n == 0) continue;
    text += fmt::format("  {:<16}  {:8.2f}%  {:7.1f}%  {:7.1f}%  {:7.1f}%\n", ScoreTable::bin_name(i),
                        100 * share(n, all), 100 * share(bin.wins, n), 100 * share(bin.draws, n),
                        100 * share(bin.losses, n));
  }
  return text;
}

}  // namespace farrier
