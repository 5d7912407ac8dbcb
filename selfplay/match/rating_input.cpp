#include "selfplay/match/rating_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "engine/base/error.h"
#include "selfplay/match/tally.h"

namespace farrier {
namespace {

using nlohmann::json;
using std::filesystem::path;

constexpr int kJournalVersion = 1;
constexpr const char* kVersionKey = "farrier_match_journal";

/// One match of a journal: its header, and its pairs as its own runner counts them.
struct JournalMatch {
  path file;
  std::string settings;  // as text
  Variant variant;
  std::array<json, 2> players;
  std::array<std::string, 2> names;
  MatchTally tally;
  std::set<std::size_t> lines;  // hashes of its pairs
};

std::optional<SprtSettings> sprt_from(const json& j) {
  if (j.is_null()) return std::nullopt;
  return SprtSettings{.elo0 = j.at("elo0"),
                      .elo1 = j.at("elo1"),
                      .alpha = j.at("alpha"),
                      .beta = j.at("beta"),
                      .model = j.at("model") == "logistic" ? SprtModel::Logistic : SprtModel::Normalised};
}

JournalMatch match_from_header(const path& file, const json& header) {
  try {
    const json& settings = header.at("settings");
    const std::string variant_text = settings.at("variant");
    const std::optional<Variant> variant = variant_from_name(variant_text);
    if (!variant)
      throw UserError(file.string(),
                      fmt::format("is a match of {}, which this program does not know", variant_text));
    JournalMatch match{
        .file = file,
        .settings = settings.dump(),
        .variant = *variant,
        .players = {settings.at("a"), settings.at("b")},
        .names = {},
        .tally = MatchTally(settings.at("games").get<std::int64_t>() / 2, sprt_from(settings.at("sprt"))),
        .lines = {}};
    for (std::size_t i = 0; i < 2; ++i)
      match.names[i] = header.contains("names") ? header["names"].at(i).get<std::string>()
                                                : match.players[i].value("evaluation", "unnamed");
    return match;
  } catch (const json::exception&) {
    throw UserError(file.string(), "has a header without a match's settings; is it damaged?");
  }
}

/// Its two results; nothing for a line that is no finished pair.
std::optional<MatchPair> pair_from(const json& line) {
  if (!line.is_object() || !line.contains("pair") || !line.contains("games")) return std::nullopt;
  try {
    MatchPair pair;
    line.at("pair").get_to(pair.index);
    for (std::size_t i = 0; i < 2; ++i) {
      line.at("games").at(i).at("result_a").get_to(pair.games[i].result_a);
      if (std::abs(pair.games[i].result_a) > 1) return std::nullopt;
    }
    return pair;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::vector<JournalMatch> read_journal(const path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw UserError(file.string(), "cannot be read");
  std::vector<JournalMatch> matches;
  std::string text;
  std::set<std::int64_t> seen;
  for (int number = 1; std::getline(in, text); ++number) {
    const bool is_torn = in.eof();  // no end of line: a match is writing it, or was killed
    const json line = json::parse(text, nullptr, false);
    if (line.is_object() && line.contains(kVersionKey)) {
      if (line[kVersionKey] != kJournalVersion)
        throw UserError(file.string(),
                        fmt::format("is a match journal of version {}; this program reads version {}",
                                    line[kVersionKey].dump(), kJournalVersion));
      matches.push_back(match_from_header(file, line));
      seen.clear();
      continue;
    }
    if (matches.empty())
      throw UserError(file.string(),
                      "is no match journal; give files that `farrier match --journal` or a run wrote");
    const std::optional<MatchPair> pair = pair_from(line);
    if (pair && seen.insert(pair->index).second) {
      matches.back().tally.add(*pair);
      matches.back().lines.insert(std::hash<std::string>{}(text));
    } else if (!is_torn && in.peek() != std::ifstream::traits_type::eof()) {
      throw UserError(file.string(),
                      fmt::format("line {} is damaged; take the file out of the rating", number));
    }
  }
  if (matches.empty()) throw UserError(file.string(), "is empty: no match journal");
  return matches;
}

bool is_journal(const path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string start(26, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.starts_with("{\"farrier_match_journal\":");
}

std::vector<path> journals_in(const path& folder) {
  std::vector<path> of_run, others;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && name.starts_with("gen-") &&
        std::filesystem::exists(entry.path() / "gate.jsonl"))
      of_run.push_back(entry.path() / "gate.jsonl");
    else if (entry.is_regular_file() && name.starts_with("final-") && name.ends_with(".jsonl"))
      of_run.push_back(entry.path());
    else if (entry.is_regular_file() && is_journal(entry.path()))
      others.push_back(entry.path());
  }
  std::vector<path>& found = of_run.empty() ? others : of_run;
  if (found.empty())
    throw UserError(folder.string(),
                    "holds no match journals: neither gen-*/gate.jsonl and final-*.jsonl nor others");
  // Gates before final matches, so that generations come in their order.
  std::sort(found.begin(), found.end(), [](const path& x, const path& y) {
    const auto key = [](const path& p) { return std::pair(!p.string().ends_with("gate.jsonl"), p.string()); };
    return key(x) < key(y);
  });
  return found;
}

/// The limits of a player in words, for two who are called the same.
std::string limits_text(const json& player) {
  std::string text;
  const auto add = [&](const char* key, const std::string& what) {
    const auto value = player.find(key);
    if (value == player.end() || value->is_null()) return;
    const std::string shown = value->is_string() ? value->get<std::string>() : value->dump();
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", shown, what);
  };
  if (player.value("soft_nodes", json()).is_null())
    add("hard_nodes", " nodes");
  else
    add("soft_nodes", " soft nodes");
  add("depth", " plies");
  add("movetime_ms", " ms a move");
  add("tc", " s");
  return text;
}

void tell_namesakes_apart(std::vector<RatedPlayer>& players) {
  const auto is_shared = [&](const std::string& name) {
    return std::count_if(players.begin(), players.end(),
                         [&](const RatedPlayer& p) { return p.name == name; }) > 1;
  };
  std::vector<std::string> names;
  for (const RatedPlayer& player : players) {
    const std::string limits = limits_text(json::parse(player.identity));
    names.push_back(is_shared(player.name) && !limits.empty() ? fmt::format("{} ({})", player.name, limits)
                                                              : player.name);
  }
  std::map<std::string, int> times;
  for (std::size_t i = 0; i < players.size(); ++i) {
    const int nth = ++times[names[i]];
    players[i].name = nth == 1 ? names[i] : fmt::format("{} #{}", names[i], nth);
  }
}

std::size_t player_index(RatingPool& pool, const json& player, const std::string& name) {
  const std::string identity = player.dump();
  for (std::size_t i = 0; i < pool.players.size(); ++i)
    if (pool.players[i].identity == identity) return i;
  pool.players.push_back(
      {.name = name, .identity = identity, .is_material = player.value("evaluation", "") == "material"});
  return pool.players.size() - 1;
}

void add_pairs(RatingPool& pool, std::size_t a, std::size_t b, Pentanomial pairs) {
  if (a > b) {
    std::swap(a, b);
    std::reverse(pairs.pairs.begin(), pairs.pairs.end());
  }
  for (RatedPairing& known : pool.pairings) {
    if (known.a != a || known.b != b) continue;
    for (std::size_t i = 0; i < 5; ++i) known.pairs.pairs[i] += pairs.pairs[i];
    return;
  }
  pool.pairings.push_back({.a = a, .b = b, .pairs = pairs});
}

/// Copies of a journal, whole or cut short, hold the same games.
bool is_same_match(const JournalMatch& x, const JournalMatch& y) {
  if (x.settings != y.settings) return false;
  return std::any_of(x.lines.begin(), x.lines.end(),
                     [&](std::size_t line) { return y.lines.contains(line); });
}

std::int64_t pairs_of(const JournalMatch& match) { return match.tally.result().pairs.count(); }

/// Keeps the longest of equal matches.
std::vector<JournalMatch> take_once(std::vector<JournalMatch> matches, std::vector<std::string>& notes) {
  std::vector<JournalMatch> kept;
  for (JournalMatch& match : matches) {
    const auto known = std::find_if(kept.begin(), kept.end(),
                                    [&](const JournalMatch& k) { return is_same_match(k, match); });
    if (known == kept.end()) {
      kept.push_back(std::move(match));
      continue;
    }
    notes.push_back(fmt::format("{} holds a match that stands in {} too: it counts once.",
                                match.file.string(), known->file.string()));
    if (pairs_of(match) > pairs_of(*known)) *known = std::move(match);
  }
  return kept;
}

}  // namespace

RatingInput read_rating_input(const std::vector<path>& paths) {
  std::vector<path> files;
  for (const path& given : paths) {
    if (!std::filesystem::is_directory(given)) {
      files.push_back(given);
      continue;
    }
    const std::vector<path> found = journals_in(given);
    files.insert(files.end(), found.begin(), found.end());
  }
  RatingInput input;
  std::vector<JournalMatch> matches;
  for (const path& file : files)
    for (JournalMatch& match : read_journal(file)) matches.push_back(std::move(match));
  std::map<Variant, RatingPool> pools;
  for (const JournalMatch& match : take_once(std::move(matches), input.notes)) {
    const auto leave_out = [&](const char* why) {
      input.notes.push_back(
          fmt::format("{}: {} against {} {}.", match.file.string(), match.names[0], match.names[1], why));
    };
    if (pairs_of(match) == 0) {
      leave_out("has no finished pair");
    } else if (match.players[0] == match.players[1]) {
      leave_out("is the same player on both sides, which rates nobody");
    } else {
      RatingPool& pool = pools[match.variant];
      pool.variant = match.variant;
      ++pool.matches;
      const std::size_t a = player_index(pool, match.players[0], match.names[0]);
      const std::size_t b = player_index(pool, match.players[1], match.names[1]);
      add_pairs(pool, a, b, match.tally.result().pairs);
    }
  }
  for (const Variant variant : kAllVariants) {
    const auto pool = pools.find(variant);
    if (pool == pools.end()) continue;
    tell_namesakes_apart(pool->second.players);
    input.pools.push_back(std::move(pool->second));
  }
  return input;
}

}  // namespace farrier
