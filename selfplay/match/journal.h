// The match's memory on disk: a line of JSON for the settings, then one for every finished pair, appended as
// pairs finish. A killed match goes on from it. The matches of a tournament stand one after the other in one file.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "selfplay/match/match_settings.h"

namespace farrier {

/// All that a pair depends on and the rule that ends the match; names, workers and paths are not in it.
nlohmann::json frozen_settings(const MatchSettings& settings);

class MatchJournal {
 public:
  /// Opens or creates the journal at `settings.journal` and locks it. A torn last line is cut off. Throws
  /// UserError if the file belongs to a match with other settings, is no journal, is damaged, or is in use.
  explicit MatchJournal(const MatchSettings& settings);
  ~MatchJournal();
  MatchJournal(const MatchJournal&) = delete;
  MatchJournal& operator=(const MatchJournal&) = delete;

  /// The pairs that it held when it was opened, in the order in which they finished.
  const std::vector<MatchPair>& pairs() const { return pairs_; }
  /// Throws UserError if the line can't be written.
  void append(const MatchPair& pair);

 private:
  /// Takes this match's pairs out of the text. False if it isn't there yet.
  bool read(const std::string& text, const nlohmann::json& settings, std::int64_t pairs_to_play);
  void write_line(const std::string& line);

  std::filesystem::path path_;
  int file_ = -1;
  std::int64_t valid_bytes_ = 0;
  bool is_last_ = true;  // no later match of the tournament follows
  std::vector<MatchPair> pairs_;
};

}  // namespace farrier
