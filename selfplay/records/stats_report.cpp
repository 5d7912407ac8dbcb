// The words and the JSON of DataStats.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/chess/notation.h"
#include "selfplay/records/data_stats.h"

namespace farrier {
namespace {

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}

double percent(std::uint64_t a, std::uint64_t b) { return 100 * ratio(a, b); }

std::string counted(std::uint64_t n, std::uint64_t of, std::string_view name) {
  return fmt::format("{} {} ({:.1f}%)", name, n, percent(n, of));
}

std::string terminations_text(const GameSums& sums) {
  std::string text;
  for (std::size_t t = 0; t < sums.terminations.size(); ++t)
    if (sums.terminations[t] > 0)
      text += (text.empty() ? "" : ", ") +
              counted(sums.terminations[t], sums.games, termination_name(static_cast<Termination>(t)));
  return text;
}

std::size_t shortest(const DataStats& stats) {
  const auto& games = stats.games_of_plies;
  const auto it = std::find_if(games.begin(), games.end(), [](std::uint64_t n) { return n > 0; });
  return it == games.end() ? 0 : static_cast<std::size_t>(it - games.begin());
}

/// Both boards side by side, each square the share of its side's positions.
std::string royal_text(const DataStats& stats) {
  std::string text = "royal men, % of positions\n      white's" + std::string(44, ' ') + "black's\n";
  for (int rank = 7; rank >= 0; --rank) {
    std::string line = fmt::format("  {}", rank + 1);
    for (std::size_t c = 0; c < 2; ++c) {
      for (int file = 0; file < 8; ++file) {
        const std::uint64_t n = stats.royal_squares[c][static_cast<std::size_t>(8 * rank + file)];
        const double share = percent(n, stats.scored);
        line += n == 0 ? "     ." : share < 0.05 ? "   0.0" : fmt::format("{:6.1f}", share);
      }
      line += c == 0 ? "   " : "\n";
    }
    text += line;
  }
  std::string files = "   ";
  for (int board = 0; board < 2; ++board) {
    for (char file = 'a'; file <= 'h'; ++file) files += fmt::format("{:>6}", file);
    files += board == 0 ? "   " : "\n";
  }
  return text + files;
}

std::string men_text(const DataStats& stats) {
  std::string text = "men over plies\n  plies         positions   on the board   in hands\n";
  for (std::size_t i = 0; i < stats.men.size(); ++i) {
    const MenAtPlies& men = stats.men[i];
    if (men.positions == 0) continue;
    text += fmt::format("  {:>4} to {:<5} {:>10}   {:12.1f}   {:8.1f}\n", i * kPliesPerStretch,
                        (i + 1) * kPliesPerStretch - 1, men.positions, ratio(men.men, men.positions),
                        ratio(men.men_in_hand, men.positions));
  }
  return text;
}

std::string lengths_text(const DataStats& stats) {
  std::vector<std::uint64_t> stretches((stats.games_of_plies.size() + 39) / 40);
  for (std::size_t plies = 0; plies < stats.games_of_plies.size(); ++plies)
    stretches[plies / 40] += stats.games_of_plies[plies];
  const std::uint64_t most = stretches.empty() ? 0 : *std::max_element(stretches.begin(), stretches.end());
  std::string text = "lengths\n";
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (stretches[i] == 0) continue;
    text += fmt::format("  {:>4} to {:<4} plies {:>7.2f}%  {}\n", 40 * i, 40 * i + 39,
                        percent(stretches[i], stats.sums.games),
                        std::string(static_cast<std::size_t>(40 * ratio(stretches[i], most) + 0.5), '#'));
  }
  return text;
}

}  // namespace

std::string stats_text(const DataStats& stats) {
  const GameSums& sums = stats.sums;
  std::string nets;
  for (const std::string& net : stats.nets) nets += (nets.empty() ? "" : ", ") + net.substr(0, 12);
  std::string text = fmt::format("variant     {}\nplayed by   {}\n", variant_name(stats.variant), nets);
  text += fmt::format("shards      {}, {} bytes, {:.2f} a position\n", stats.shards, stats.bytes,
                      ratio(stats.bytes, stats.scored));
  text +=
      fmt::format("games       {}, {:.1f} plies each: {} to {}, half of them at most {}\n", sums.games,
                  ratio(sums.plies, sums.games), shortest(stats),
                  stats.games_of_plies.empty() ? 0 : stats.games_of_plies.size() - 1, stats.median_plies());
  text += fmt::format("positions   {} scored of {} plies; {}{} distinct ({:.1f}%)\n", stats.scored,
                      sums.plies, stats.distinct_exact ? "" : "about ", stats.distinct,
                      percent(stats.distinct, stats.scored));
  text += fmt::format("results     {}, {}, {}\n", counted(sums.white_wins, sums.games, "white wins"),
                      counted(sums.draws, sums.games, "draws"),
                      counted(sums.black_wins, sums.games, "black wins"));
  text += fmt::format("ended by    {}\n", terminations_text(sums));
  text += "openings    ";
  for (const OpeningDiversity& opening : stats.openings)
    text +=
        fmt::format("{}{} distinct of {} at ply {} ({:.1f}%)", opening.ply == 8 ? "" : ", ", opening.distinct,
                    opening.games, opening.ply, percent(opening.distinct, opening.games));
  text += fmt::format("\nscored      {}, {}", counted(stats.in_check, stats.scored, "in check"),
                      counted(stats.noisy_moves, stats.scored, "captures and promotions"));
  if (stats.drops > 0) text += ", " + counted(stats.drops, stats.scored, "drops");
  text +=
      fmt::format("\ncoherence   {:.1f}% of {} scores beyond {} cp in decided games point at the winner\n\n",
                  100 * stats.scores.coherence(), stats.scores.clear_scores(), ScoreTable::kClearScoreCp);
  text += "scores and results, from the side to move\n" + score_table_text(stats.scores) + '\n';
  return text + lengths_text(stats) + '\n' + men_text(stats) + '\n' + royal_text(stats);
}

std::string stats_json(const DataStats& stats) {
  using nlohmann::ordered_json;
  const GameSums& sums = stats.sums;
  ordered_json json;
  json["variant"] = variant_name(stats.variant);
  json["nets"] = stats.nets;
  json["shards"] = stats.shards;
  json["bytes"] = stats.bytes;
  json["bytes_per_position"] = ratio(stats.bytes, stats.scored);
  json["games"] = sums.games;
  json["plies"] = sums.plies;
  json["positions"] = stats.scored;
  json["positions_distinct"] = stats.distinct;
  json["positions_distinct_exact"] = stats.distinct_exact;
  json["white_wins"] = sums.white_wins;
  json["draws"] = sums.draws;
  json["black_wins"] = sums.black_wins;
  json["median_plies"] = stats.median_plies();
  json["games_of_plies"] = stats.games_of_plies;
  for (std::size_t t = 0; t < sums.terminations.size(); ++t)
    if (sums.terminations[t] > 0)
      json["terminations"][std::string(termination_name(static_cast<Termination>(t)))] = sums.terminations[t];
  for (const OpeningDiversity& opening : stats.openings)
    json["openings"].push_back(
        {{"ply", opening.ply}, {"games", opening.games}, {"distinct", opening.distinct}});
  json["in_check"] = stats.in_check;
  json["noisy_moves"] = stats.noisy_moves;
  json["drops"] = stats.drops;
  json["coherence"] = stats.scores.coherence();
  json["clear_scores"] = stats.scores.clear_scores();
  for (std::size_t i = 0; i < ScoreTable::kBins; ++i) {
    const ScoreTable::Bin& bin = stats.scores.bins()[i];
    json["scores_cp_stm"].push_back({{"scores", ScoreTable::bin_name(i)},
                                     {"wins", bin.wins},
                                     {"draws", bin.draws},
                                     {"losses", bin.losses}});
  }
  for (std::size_t i = 0; i < stats.men.size(); ++i)
    json["men"].push_back({{"from_ply", i * kPliesPerStretch},
                           {"positions", stats.men[i].positions},
                           {"on_board", ratio(stats.men[i].men, stats.men[i].positions)},
                           {"in_hands", ratio(stats.men[i].men_in_hand, stats.men[i].positions)}});
  json["royal_squares"] = {{"white", stats.royal_squares[0]}, {"black", stats.royal_squares[1]}};
  return json.dump(2) + '\n';
}

}  // namespace farrier
