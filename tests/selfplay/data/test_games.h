// Random legal games, folders and scripts for the tests of records.
#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/chess/movegen.h"
#include "engine/chess/outcome.h"
#include "engine/variants/dispatch.h"
#include "selfplay/data/game_record.h"

namespace farrier {

/// A fresh folder under the system's place for temporary files; the test removes it.
inline std::filesystem::path make_test_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "farrier-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  return name;
}

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

struct CommandResult {
  int status = 0;      // exit status
  std::string output;  // stdout and stderr together
};

/// Runs a shell command line.
inline CommandResult run_command(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  CommandResult result;
  std::array<char, 4096> block;
  for (std::size_t n; (n = fread(block.data(), 1, block.size(), pipe)) > 0;)
    result.output.append(block.data(), n);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

/// Runs a script with Debian's Python, which has h5py, and returns what it printed; a failing script throws.
inline std::string run_python(const std::string& script, const std::filesystem::path& argument = {}) {
  const std::filesystem::path file = make_test_folder() / "script.py";
  std::ofstream(file) << script;
  const CommandResult result = run_command("/usr/bin/python3 " + file.string() + " " + argument.string());
  std::filesystem::remove_all(file.parent_path());
  if (result.status != 0) throw std::runtime_error("python failed: " + result.output);
  return result.output;
}

/// A game of random moves with random scores, ended by the rules or the ply limit; some plies marked as exploratory
/// if it `explores`.
template <VariantRules R>
GameRecord random_game(std::uint64_t seed, int max_plies = 120, bool explores = false) {
  Rng rng(seed);
  GameRecord record;
  record.game_seed = seed;
  record.random_plies = static_cast<std::uint16_t>(rng.below(9));
  Game<R> game;
  record.start_fen = to_fen<R>(game.board());
  while (!game.outcome() && game.plies() < max_plies) {
    const MoveList moves = legal_moves<R>(game.board());
    const bool scored = game.plies() >= record.random_plies;
    record.moves.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    record.scores_cp_stm.push_back(
        scored ? static_cast<std::int16_t>(static_cast<int>(rng.below(2001)) - 1000) : kNoScore);
    if (scored && explores && rng.below(8) == 0)
      record.exploratory_plies.push_back(static_cast<std::uint16_t>(game.plies()));
    game.play(record.moves.back());
  }
  record.random_plies =
      static_cast<std::uint16_t>(std::min<std::size_t>(record.random_plies, record.moves.size()));
  const auto end = game.outcome();
  record.termination = end ? end->termination : Termination::PlyLimit;
  record.result_white = end ? end->result_white : 0;
  return record;
}

template <VariantRules R>
std::vector<GameRecord> random_games(int count, std::uint64_t seed) {
  std::vector<GameRecord> games;
  for (int i = 0; i < count; ++i)
    games.push_back(random_game<R>(derive_seed(seed, 0, static_cast<std::uint64_t>(i))));
  return games;
}

}  // namespace farrier
