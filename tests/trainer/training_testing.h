// Games and settings for the trainer's tests: random play whose scores and results follow from the men on the
// board, so that there is something to learn.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/nnue/evaluator.h"
#include "engine/variants/dispatch.h"
#include "selfplay/data/game_writer.h"
#include "selfplay/data/shard_set.h"
#include "trainer/dataset.h"
#include "trainer/train_loop.h"

namespace farrier {

template <VariantRules R>
int material_balance_stm(const Board& board) {
  int balance = 0;
  for (Square s : board.occupied()) {
    const Piece piece = board.at(s);
    balance += (piece.color() == board.side_to_move ? 1 : -1) * material_value<R>(piece.type());
  }
  return balance;
}

/// A game of random moves: two random plies without a score, then up to `plies` with the material balance as score.
template <VariantRules R>
GameRecord random_game(std::uint64_t seed, int plies = 60) {
  Rng rng(seed);
  GameRecord game;
  game.start_fen = std::string(R::kStartFen);
  game.random_plies = 2;
  game.game_seed = seed;
  Board board = start_board<R>();
  while (static_cast<int>(game.moves.size()) < plies) {
    const MoveList moves = legal_moves<R>(board);
    if (moves.empty()) break;
    // Captures twice as often as chance would have it, so that material differs.
    Move move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
    if (!is_noisy(board, move)) move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
    game.scores_cp_stm.push_back(
        game.moves.size() < 2 ? kNoScore : static_cast<std::int16_t>(material_balance_stm<R>(board)));
    game.moves.push_back(move);
    make_move<R>(board, move);
  }
  const int balance = material_balance_stm<R>(board) * (board.side_to_move == Color::White ? 1 : -1);
  game.result_white = balance > 200 ? 1 : balance < -200 ? -1 : 0;
  return game;
}

inline GameRecord random_game_of(Variant variant, std::uint64_t seed, int plies = 60) {
  return with_rules(variant, [&]<VariantRules R>() { return random_game<R>(seed, plies); });
}

/// A data set of these games, in a shard that lives as long as the test program.
inline Dataset dataset_of(Variant variant, const std::vector<GameRecord>& games,
                          const PositionFilters& filters, double validation_share) {
  static const struct Folder {
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("farrier-datasets-" + std::to_string(getpid()));
  } folder;
  static std::uint64_t number = 0;
  const std::filesystem::path shard = folder.path / shard_name(number++);
  ShardInfo info;
  info.variant = variant;
  write_shard(shard, info, games);
  return Dataset(variant, {{{shard}, 1}}, filters, validation_share);
}

inline std::vector<GameRecord> random_games_of(Variant variant, int games) {
  std::vector<GameRecord> all;
  for (int i = 0; i < games; ++i)
    all.push_back(random_game_of(variant, derive_seed(7, 0, static_cast<std::uint64_t>(i))));
  return all;
}

inline Dataset random_dataset(Variant variant, int games, const PositionFilters& filters = {}) {
  return dataset_of(variant, random_games_of(variant, games), filters, 0.2);
}

/// A folder of its own for each test, removed at its end.
class FolderTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / (std::string("farrier-") + info->test_suite_name() +
                                                        "-" + info->name() + "-" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

/// A training that takes about a second.
inline TrainSettings small_settings(Variant variant, const std::filesystem::path& out) {
  TrainSettings settings;
  settings.variant = variant;
  settings.out = out;
  settings.net.hidden = 16;
  settings.config.epochs = 3;
  settings.config.batch = 128;
  settings.config.warmup_steps = 5;
  settings.config.lr = 3e-3;
  settings.config.validation_share = 0.2;
  settings.config.threads = 1;
  return settings;
}

/// What the call throws, as text; a failure if it throws nothing.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const UserError& e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace farrier
