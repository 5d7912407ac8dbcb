#include "selfplay/match/journal.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/error.h"
#include "selfplay/data/file_hash.h"

namespace farrier {

using nlohmann::json;

namespace {

constexpr int kJournalVersion = 1;
constexpr std::string_view kHeaderStart = "{\"farrier_match_journal\"";

json optional_json(const std::optional<std::uint64_t>& value) { return value ? json(*value) : json(nullptr); }

json frozen_engine(const EngineCommand& engine) {
  json options = json::array();
  for (const auto& [name, value] : engine.options) options.push_back(name + "=" + value);
  return {{"cmd", engine.child.program},
          {"args", engine.child.args},
          {"dir", engine.child.folder.string()},
          {"options", options}};
}

json frozen_player(const PlayerSpec& spec) {
  if (spec.is_random) return {{"evaluation", "random"}, {"hard_nodes", nullptr}, {"soft_nodes", nullptr}};
  json frozen = {{"hard_nodes", optional_json(spec.hard_nodes)},
                 {"soft_nodes", optional_json(spec.soft_nodes)}};
  if (spec.engine) {
    frozen["engine"] = frozen_engine(*spec.engine);
  } else {
    frozen["evaluation"] = net_identity(spec.net.get());
    frozen["material_noise_cp"] = spec.net ? 0 : spec.material_noise_cp;
    frozen["hash_mib"] = spec.hash_mib;
    for (const Tunable& t : kTunables)
      if (spec.params.*t.value != SearchParams().*t.value) frozen["params"][t.name] = spec.params.*t.value;
  }
  if (spec.depth) frozen["depth"] = *spec.depth;
  if (spec.move_time) frozen["movetime_ms"] = spec.move_time->count();
  if (spec.clock) frozen["tc"] = to_text(*spec.clock);
  return frozen;
}

/// A book is known by its bytes.
json frozen_openings(const MatchSettings& s) {
  if (s.book)
    return {{"book", sha256_of_file(s.book->file)},
            {"order", s.book->order == BookOrder::Random ? "random" : "sequential"},
            {"plies", s.book->plies}};
  return {{"random_plies", s.openings.random_plies},
          {"one_more_on_a_coin", s.openings.one_more_on_a_coin},
          {"max_score_cp", s.openings.max_score_cp},
          {"check_nodes", s.openings.check_nodes}};
}

/// The notes as columns, so that a line stays short.
json to_json(const std::vector<MoveNote>& notes) {
  json scores = json::array(), depths = json::array(), nodes = json::array(), times = json::array();
  for (const MoveNote& note : notes) {
    scores.push_back(note.score_cp_stm ? json(*note.score_cp_stm) : json(nullptr));
    depths.push_back(note.depth);
    nodes.push_back(note.nodes);
    times.push_back(note.time_us);
  }
  return {{"scores_cp_stm", scores}, {"depths", depths}, {"nodes", nodes}, {"times_us", times}};
}

json to_json(const MatchGame& game) {
  json j = {{"result_a", game.result_a},
            {"termination", termination_name(game.termination)},
            {"searches", game.searches},
            {"nodes", game.nodes},
            {"moves", game.moves}};
  if (!game.notes.empty()) j["notes"] = to_json(game.notes);
  if (!game.fault.empty()) j["fault"] = game.fault;
  return j;
}

json to_json(const MatchPair& pair) {
  return {{"pair", pair.index},
          {"start", pair.start_fen},
          {"opening", pair.opening},
          {"games", json::array({to_json(pair.games[0]), to_json(pair.games[1])})}};
}

Termination termination_from_name(const std::string& name) {
  for (int i = 0; i < kTerminationCount; ++i)
    if (termination_name(static_cast<Termination>(i)) == name) return static_cast<Termination>(i);
  throw std::invalid_argument("unknown termination " + name);
}

std::vector<MoveNote> notes_from_json(const json& j) {
  const json& scores = j.at("scores_cp_stm");
  std::vector<MoveNote> notes(scores.size());
  for (std::size_t i = 0; i < notes.size(); ++i) {
    if (!scores[i].is_null()) notes[i].score_cp_stm = scores[i].get<Score>();
    j.at("depths").at(i).get_to(notes[i].depth);
    j.at("nodes").at(i).get_to(notes[i].nodes);
    j.at("times_us").at(i).get_to(notes[i].time_us);
  }
  return notes;
}

/// Throws json::exception or std::invalid_argument: the caller knows the line.
MatchGame game_from_json(const json& j) {
  MatchGame game;
  j.at("result_a").get_to(game.result_a);
  if (game.result_a < -1 || game.result_a > 1) throw std::invalid_argument("no result");
  game.termination = termination_from_name(j.at("termination").get<std::string>());
  j.at("searches").get_to(game.searches);
  j.at("nodes").get_to(game.nodes);
  j.at("moves").get_to(game.moves);
  if (j.contains("notes")) game.notes = notes_from_json(j["notes"]);
  game.fault = j.value("fault", "");
  return game;
}

std::optional<MatchPair> pair_from_line(const std::string& line) {
  try {
    const json j = json::parse(line);
    MatchPair pair;
    j.at("pair").get_to(pair.index);
    j.at("start").get_to(pair.start_fen);
    j.at("opening").get_to(pair.opening);
    pair.games = {game_from_json(j.at("games").at(0)), game_from_json(j.at("games").at(1))};
    return pair;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// "a/hard_nodes is 1000 there and 800 here"
std::string first_difference(const json& theirs, const json& ours) {
  const json patch = json::diff(theirs, ours);
  std::string path = patch.at(0).at("path");
  const json::json_pointer pointer(path);
  const std::string there = theirs.contains(pointer) ? theirs.at(pointer).dump() : "unset";
  const std::string here = ours.contains(pointer) ? ours.at(pointer).dump() : "unset";
  return fmt::format("{} is {} there and {} here", path.substr(1), there, here);
}

std::string read_all(int file, const std::filesystem::path& path) {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw UserError(path.string(), fmt::format("cannot be read ({})", std::strerror(errno)));
    if (n == 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

json frozen_settings(const MatchSettings& s) {
  const AdjudicationSettings& calls = s.adjudication.calls;
  json frozen = {{"variant", variant_name(s.variant)},
                 {"a", frozen_player(s.a)},
                 {"b", frozen_player(s.b)},
                 {"openings", frozen_openings(s)},
                 {"adjudication",
                  {{"win_score_cp", calls.win_score_cp},
                   {"win_plies", calls.win_plies},
                   {"played_out_share", calls.played_out_share},
                   {"draw_plies", calls.draw_plies},
                   {"draw_score_cp", calls.draw_score_cp},
                   {"draw_from_ply", calls.draw_from_ply},
                   {"max_plies", s.adjudication.max_plies}}},
                 {"games", s.games},
                 {"seed", s.seed},
                 {"sprt", nullptr}};
  if (s.pairing > 0) frozen["pairing"] = s.pairing;
  if (s.a.is_timed() || s.b.is_timed()) frozen["margin_ms"] = s.margin.count();
  if (s.sprt)
    frozen["sprt"] = {{"elo0", s.sprt->elo0},
                      {"elo1", s.sprt->elo1},
                      {"alpha", s.sprt->alpha},
                      {"beta", s.sprt->beta},
                      {"model", sprt_model_name(s.sprt->model)}};
  return frozen;
}

MatchJournal::MatchJournal(const MatchSettings& settings) : path_(settings.journal) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0)
    throw UserError(path_.string(),
                    fmt::format("cannot be opened ({}); give another --journal", std::strerror(errno)));
  try {
    struct stat status {};
    if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode))
      throw UserError(path_.string(), "is no plain file; give another --journal");
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      throw UserError(path_.string(),
                      "another match is writing this journal; wait for it or give another file");
    const json frozen = frozen_settings(settings);
    const std::string header = json{{"farrier_match_journal", kJournalVersion},
                                    {"settings", frozen},
                                    {"names", {settings.a.name, settings.b.name}}}
                                   .dump();
    const std::string text = read_all(file_, path_);
    // A header cut off by a kill is a beginning of ours; anything else without a full line is someone's file.
    const bool torn_header = text.find('\n') == std::string::npos && header.starts_with(text);
    const bool is_new = torn_header || !read(text, frozen, settings.games / 2);
    if (::ftruncate(file_, valid_bytes_) != 0 || ::lseek(file_, valid_bytes_, SEEK_SET) < 0)
      throw UserError(path_.string(), fmt::format("cannot be written ({})", std::strerror(errno)));
    if (is_new) write_line(header);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

MatchJournal::~MatchJournal() { ::close(file_); }

bool MatchJournal::read(const std::string& text, const json& settings, std::int64_t pairs_to_play) {
  const int pairing = settings.value("pairing", 0);
  bool ours = false, found = false;
  std::set<std::int64_t> seen;
  std::size_t begin = 0;
  for (int line_number = 1; begin < text.size(); ++line_number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos && line_number > 1) break;  // torn by a kill
    const std::string line = text.substr(begin, end - begin);
    const bool is_end = end + 1 == text.size();
    if (line_number == 1 || line.starts_with(kHeaderStart)) {
      const json header = json::parse(line, nullptr, false);
      if (!header.is_object() || header.value("farrier_match_journal", 0) != kJournalVersion ||
          !header.contains("settings"))
        throw UserError(path_.string(), "is no match journal of this version; give another file");
      const json& theirs = header["settings"];
      ours = is_last_ = theirs == settings;
      const int their_pairing = theirs.value("pairing", 0);
      const bool other_pairing = their_pairing > 0 && (their_pairing < pairing || (found && pairing > 0));
      if (!ours && !other_pairing) {
        if (is_end) break;  // a match that never finished a pair may be written over
        throw UserError(path_.string(), "belongs to a match with other settings (" +
                                            first_difference(theirs, settings) +
                                            "); give another file, or remove it to start anew");
      }
      found = found || ours;
    } else if (ours) {
      std::optional<MatchPair> pair = pair_from_line(line);
      if (!pair || pair->index < 0 || pair->index >= pairs_to_play || !seen.insert(pair->index).second) {
        if (is_end) break;  // torn by a crash of the whole machine
        throw UserError(
            path_.string(),
            fmt::format("line {} is damaged; remove the file to start the match anew", line_number));
      }
      pairs_.push_back(*std::move(pair));
    }
    begin = end + 1;
    valid_bytes_ = static_cast<std::int64_t>(begin);
  }
  is_last_ = is_last_ || !found;
  return found;
}

void MatchJournal::append(const MatchPair& pair) {
  if (!is_last_) throw UserError(path_.string(), "goes on with later matches; give another file");
  write_line(to_json(pair).dump());
}

void MatchJournal::write_line(const std::string& line) {
  const std::string text = line + '\n';
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = ::write(file_, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw UserError(path_.string(),
                      fmt::format("cannot be written ({}); the match goes on from it when started "
                                  "again with space and permission",
                                  std::strerror(errno)));
    written += static_cast<std::size_t>(n);
  }
}

}  // namespace farrier
