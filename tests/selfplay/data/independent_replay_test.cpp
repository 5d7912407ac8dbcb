// Self-play games judged by the reference rules, which share no code with the engine: every move legal, every end
// and result as the rules decide. FARRIER_REPLAY=FOLDER judges the first games of a folder of shards instead of a
// few fresh ones (FARRIER_REPLAY_GAMES of them, 1000 if unset).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>

#include "engine/chess/notation.h"
#include "selfplay/data/shard_set.h"
#include "selfplay/games/scheduler.h"
#include "tests/selfplay/data/test_games.h"
#include "tests/support/reference_rules.h"

namespace farrier {
namespace {

/// The part of a FEN that tells whether positions repeat each other.
std::string without_clocks(const reference::Position& position) {
  const std::string fen = reference::write_fen(position);
  return fen.substr(0, fen.rfind(' ', fen.rfind(' ') - 1));
}

/// Bare royal men and empty hands: dead in every variant. Chess and pocketknight know more; those are looked at by
/// the tests of the rules.
bool has_few_men(const reference::Position& position) {
  return std::count(position.men.begin(), position.men.end(), '.') >= 58;
}

/// The end that the rules give the position after these occurrences, -1 for none.
int end_by_rule(const reference::Position& position, bool has_move, int occurrences) {
  if (!has_move)
    return static_cast<int>(reference::in_check(position, position.white_to_move) ? Termination::Checkmate
                                                                                  : Termination::Stalemate);
  if (position.halfmove_clock >= 100) return static_cast<int>(Termination::FiftyMoves);
  if (occurrences >= 3) return static_cast<int>(Termination::Repetition);
  return -1;
}

void judge(const GameRecord& game, const std::string& variant) {
  reference::Position position = reference::read_fen(variant, game.start_fen);
  std::map<std::string, int> seen;
  ++seen[without_clocks(position)];
  std::vector<std::string> moves = reference::legal_moves(position);
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    // A game goes on only where no rule has ended it.
    ASSERT_EQ(end_by_rule(position, !moves.empty(), seen[without_clocks(position)]), -1)
        << reference::write_fen(position);
    const std::string text = to_uci(game.moves[ply]);
    ASSERT_TRUE(std::binary_search(moves.begin(), moves.end(), text))
        << text << " in " << reference::write_fen(position);
    position = reference::play(position, text);
    ++seen[without_clocks(position)];
    moves = reference::legal_moves(position);
  }
  const int end = end_by_rule(position, !moves.empty(), seen[without_clocks(position)]);
  switch (game.termination) {
    case Termination::Checkmate:
    case Termination::Stalemate:
    case Termination::FiftyMoves:
    case Termination::Repetition:
      ASSERT_EQ(end, static_cast<int>(game.termination));
      break;
    case Termination::DeadPosition:
      ASSERT_TRUE(has_few_men(position)) << reference::write_fen(position);
      break;
    default:
      ASSERT_EQ(end, -1) << reference::write_fen(position);
  }
  if (game.termination == Termination::Checkmate)
    ASSERT_EQ(game.result_white, position.white_to_move ? -1 : 1);
  else if (game.termination == Termination::AdjudicatedWin)
    ASSERT_NE(game.result_white, 0);
  else
    ASSERT_EQ(game.result_white, 0);
}

std::uint64_t judge_shards(const std::filesystem::path& folder, Variant variant, std::uint64_t most) {
  std::uint64_t judged = 0;
  GameRecord game;
  for (const auto& path : shard_paths(folder)) {
    GameReader reader = open_shard(path, variant);
    while (judged < most && reader.next(game) && !testing::Test::HasFatalFailure()) {
      judge(game, std::string(variant_name(variant)));
      ++judged;
    }
  }
  return judged;
}

class IndependentReplay : public testing::TestWithParam<Variant> {
 protected:
  ~IndependentReplay() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_ = make_test_folder();
};

TEST_P(IndependentReplay, FindsEveryMoveLegalAndEveryResultRight) {
  if (const char* given = std::getenv("FARRIER_REPLAY")) {
    const Variant variant = GameReader(shard_paths(std::filesystem::path(given)).front()).info().variant;
    if (variant != GetParam()) return;
    const char* most = std::getenv("FARRIER_REPLAY_GAMES");
    std::cout << judge_shards(given, variant, most ? std::strtoull(most, nullptr, 10) : 1000) << " games of "
              << variant_name(variant) << " judged\n";
    return;
  }
  SelfplaySettings settings;
  settings.variant = GetParam();
  settings.folder = folder_ / "run";
  settings.games = 24;
  settings.workers = 2;
  settings.game.nodes.soft_nodes = 60;
  settings.game.adjudication.played_out_share = 0.5;
  std::atomic<bool> never = false;
  generate_games(settings, never);
  EXPECT_EQ(judge_shards(settings.folder, settings.variant, 24), 24U);
}

INSTANTIATE_TEST_SUITE_P(Of, IndependentReplay, testing::ValuesIn(kAllVariants),
                         [](const auto& variant) { return std::string(variant_name(variant.param)); });

}  // namespace
}  // namespace farrier
