// The command line of the verb `match`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/match/book_builder.h"
#include "selfplay/match/match_settings.h"
#include "selfplay/match/player_text.h"
#include "selfplay/match/tournament.h"

namespace CLI {
class App;
}

namespace farrier {

/// As it was typed.
struct MatchCall {
  std::string variant;
  std::string a, b;
  std::vector<std::string> engines;  // more than two
  std::string scheme = "round-robin";
  CommonPlayerSettings common;
  std::string tc;
  std::int64_t move_time_ms = 0;
  std::int64_t margin_ms = 20;
  std::int64_t stall_ms = 10000;
  std::vector<double> sprt;  // elo0, elo1
  std::string sprt_model = "normalised";
  std::filesystem::path book;
  std::string book_order = "sequential";
  int book_plies = 16;
  std::filesystem::path make_book;
  std::string judge;  // a net, "material", or empty for the default net
  std::int64_t book_count = 1000;
  std::uint64_t book_nodes = 20000;
  std::optional<int> opening_max_cp;
  std::filesystem::path pgn;
  bool plan = false;
  bool json = false;
  MatchSettings settings;
};

void add_match_options(CLI::App& verb, MatchCall& call);

/// What the call asks for, checked. Throws UserError and CLI::ParseError.
TournamentSettings tournament_of(MatchCall call);
BookBuildSettings book_of(const MatchCall& call);

}  // namespace farrier
