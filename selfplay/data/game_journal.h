// Finished games that stand in no shard yet: what a killed run is continued from.
//
//   8 bytes     "FARJRNL1"
//   frames      u32 length, u32 checksum (low half of FNV-1a 64), then that many bytes; little-endian
//   first frame the run's settings as text
//   others      one game each: its index in the run, then the record (game_journal.cpp)
//
// A frame that a kill cut short fails its length or checksum; it and what follows is dropped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "selfplay/data/game_record.h"

namespace farrier {

class GameJournal {
 public:
  /// Opens the journal at `path` or begins it. One that holds games of other settings is refused: throws UserError.
  GameJournal(const std::filesystem::path& path, const std::string& settings);
  ~GameJournal();
  GameJournal(const GameJournal&) = delete;
  GameJournal& operator=(const GameJournal&) = delete;

  /// The games found on opening, by index.
  std::map<std::uint64_t, GameRecord> games() const;
  /// Adds a game; it survives the death of the process as soon as this returns.
  void append(std::uint64_t index, const GameRecord& game);
  /// Forgets the games of an index below `first`, which a shard holds by now.
  void drop_below(std::uint64_t first);

 private:
  void read_existing();
  void rewrite();

  std::filesystem::path path_;
  std::string settings_;
  std::map<std::uint64_t, std::string> frames_;  // payloads by index of game
  int fd_ = -1;
};

/// Why two settings texts differ, naming the first line that does; empty if they are equal.
std::string first_differing_setting(const std::string& frozen, const std::string& asked);

}  // namespace farrier
