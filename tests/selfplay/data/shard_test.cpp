// Shards: what is written is read, and what is no whole shard of this version is refused in one sentence.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "selfplay/data/game_writer.h"
#include "selfplay/data/shard_set.h"
#include "tests/selfplay/data/test_games.h"

namespace farrier {
namespace {

class Shard : public testing::Test {
 protected:
  ~Shard() override { std::filesystem::remove_all(folder_); }

  /// The one sentence with which opening `path` is refused.
  static std::string refusal(const std::filesystem::path& path) {
    try {
      GameReader reader(path);
      GameRecord game;
      while (reader.next(game)) {
      }
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_ = make_test_folder();
  std::filesystem::path path_ = folder_ / "shard-000000.h5";
};

ShardInfo crazyhouse_info() {
  ShardInfo info;
  info.variant = Variant::Crazyhouse;
  info.seed = ~std::uint64_t{0};
  info.generation = 3;
  info.first_game = 5000;
  info.settings = "soft_nodes = 500\nhash_mib = 2\n";
  return info;
}

TEST_F(Shard, ReadsBackWhatWasWritten) {
  // Enough plies for several chunks and windows.
  const std::vector<GameRecord> games = random_games<Crazyhouse>(600, 1);
  write_shard(path_, crazyhouse_info(), games);

  GameReader reader(path_);
  EXPECT_EQ(reader.info(), crazyhouse_info());
  ASSERT_EQ(reader.games(), games.size());
  GameRecord game;
  for (const GameRecord& written : games) {
    ASSERT_TRUE(reader.next(game));
    EXPECT_EQ(game, written);
  }
  EXPECT_FALSE(reader.next(game));
  reader.seek(300);
  ASSERT_TRUE(reader.next(game));
  EXPECT_EQ(game, games[300]);
  EXPECT_FALSE(std::filesystem::exists(path_.string() + ".tmp"));
}

TEST_F(Shard, KeepsTheMarksOfExploratoryPlies) {
  // The first mark comes long after the first chunk.
  std::vector<GameRecord> games = random_games<Crazyhouse>(1500, 31);
  for (std::uint64_t seed = 1; seed <= 600; ++seed) games.push_back(random_game<Crazyhouse>(seed, 120, true));
  ASSERT_FALSE(games.back().exploratory_plies.empty());
  write_shard(path_, crazyhouse_info(), games);
  GameReader reader(path_);
  GameRecord game;
  for (const GameRecord& written : games) {
    ASSERT_TRUE(reader.next(game));
    ASSERT_EQ(game, written);
  }
  reader.seek(3);
  ASSERT_TRUE(reader.next(game));
  EXPECT_EQ(game, games[3]);
}

TEST_F(Shard, WithoutExploratoryPliesHasNoColumnForThem) {
  write_shard(path_, crazyhouse_info(), random_games<Crazyhouse>(3, 32));
  EXPECT_EQ(run_python("import sys, h5py; print(*h5py.File(sys.argv[1])['plies'])", path_),
            "move score_cp_stm\n");
}

TEST_F(Shard, OfNoGamesIsReadable) {
  write_shard(path_, crazyhouse_info(), std::vector<GameRecord>{});
  GameReader reader(path_);
  GameRecord game;
  EXPECT_EQ(reader.games(), 0u);
  EXPECT_FALSE(reader.next(game));
}

TEST_F(Shard, EqualGamesGiveEqualBytes) {
  const std::vector<GameRecord> games = random_games<Crazyhouse>(20, 2);
  write_shard(path_, crazyhouse_info(), games);
  write_shard(folder_ / "again.h5", crazyhouse_info(), games);
  EXPECT_EQ(file_bytes(path_), file_bytes(folder_ / "again.h5"));
}

TEST_F(Shard, AppearsOnlyWhenFinished) {
  {
    GameWriter writer(path_, crazyhouse_info());
    for (const GameRecord& game : random_games<Crazyhouse>(3, 3)) writer.add(game);
    EXPECT_FALSE(std::filesystem::exists(path_));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(Shard, InAnUnwritableFolderIsRefused) {
  std::ofstream(folder_ / "file") << "no folder";
  try {
    GameWriter writer(folder_ / "file" / "shard.h5", crazyhouse_info());
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("choose a folder"), std::string::npos) << error.what();
  }
}

TEST_F(Shard, ThatIsCutIsRefused) {
  write_shard(path_, crazyhouse_info(), random_games<Crazyhouse>(50, 4));
  const auto size = std::filesystem::file_size(path_);
  for (const auto kept : {size - 1, size / 2, std::uintmax_t{100}, std::uintmax_t{8}}) {
    std::filesystem::resize_file(path_, kept);
    const std::string sentence = refusal(path_);
    EXPECT_EQ(sentence.rfind(path_.string() + ": ", 0), 0u) << sentence;
    EXPECT_NE(sentence.find("cut or damaged"), std::string::npos) << kept << ": " << sentence;
  }
  std::filesystem::resize_file(path_, 0);
  EXPECT_NE(refusal(path_).find("not an HDF5 file"), std::string::npos);
}

TEST_F(Shard, WithAFlippedBitInAColumnIsRefused) {
  write_shard(path_, crazyhouse_info(), random_games<Crazyhouse>(50, 5));
  std::string bytes = file_bytes(path_);
  // The scores are the last big block of the file.
  bytes[bytes.size() - 2000] = static_cast<char>(bytes[bytes.size() - 2000] ^ 4);
  std::ofstream(path_, std::ios::binary) << bytes;
  EXPECT_NE(refusal(path_).find("damaged"), std::string::npos) << refusal(path_);
}

TEST_F(Shard, ThatIsForeignIsRefused) {
  std::ofstream(path_) << "PNG or anything else, longer than a signature";
  EXPECT_NE(refusal(path_).find("not an HDF5 file"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "absent.h5").find("cannot read this file"), std::string::npos);
  EXPECT_NE(refusal(folder_).find("cannot read this file"), std::string::npos);

  // HDF5, but of someone else.
  std::filesystem::remove(path_);
  run_python("import h5py; h5py.File('" + path_.string() + "', 'w')['x'] = [1, 2, 3]");
  EXPECT_NE(refusal(path_).find("not one of game records"), std::string::npos) << refusal(path_);
}

TEST_F(Shard, OfANewerVersionIsRefused) {
  write_shard(path_, crazyhouse_info(), random_games<Crazyhouse>(2, 6));
  run_python("import h5py; h5py.File('" + path_.string() + "', 'a').attrs['schema_version'] = 99");
  EXPECT_NE(refusal(path_).find("schema version 99 is newer"), std::string::npos) << refusal(path_);
  EXPECT_NE(refusal(path_).find("update farrier"), std::string::npos) << refusal(path_);
}

TEST_F(Shard, OfTheFirstBuildsIsStillRead) {
  const std::vector<GameRecord> games = random_games<Crazyhouse>(4, 33);
  write_shard(path_, crazyhouse_info(), games);
  // They wrote version 1 and texts of variable length.
  run_python(
      "import sys, h5py\na = h5py.File(sys.argv[1], 'a').attrs\na['schema_version'] = 1\n"
      "for k in 'format variant program commit net settings'.split(): a[k] = a[k].decode()\n",
      path_);
  GameReader reader(path_);
  EXPECT_EQ(reader.info(), crazyhouse_info());
  GameRecord game;
  ASSERT_TRUE(reader.next(game));
  EXPECT_EQ(game, games[0]);
}

TEST_F(Shard, WhoseRowsContradictItsColumnsIsRefused) {
  write_shard(path_, crazyhouse_info(), random_games<Crazyhouse>(5, 7));
  run_python("import h5py; t = h5py.File('" + path_.string() +
             "', 'a')['games']; r = t[2]; r['first_ply'] = 7; t[2] = r");
  EXPECT_NE(refusal(path_).find("row 2 of /games makes no sense"), std::string::npos) << refusal(path_);
}

TEST_F(Shard, SetsAreSummedAndKeepOneVariant) {
  const std::vector<GameRecord> games = random_games<Crazyhouse>(30, 8);
  ShardInfo info = crazyhouse_info();
  write_shard(folder_ / shard_name(0), info, games);
  write_shard(folder_ / shard_name(1), info, games);
  const ShardSetSums sums = sum_shards(shard_paths(folder_));
  GameSums once;
  for (const GameRecord& game : games) once.add(game);
  EXPECT_EQ(sums.variant, Variant::Crazyhouse);
  EXPECT_EQ(sums.games.games, 60u);
  EXPECT_EQ(sums.games.positions, 2 * once.positions);
  EXPECT_EQ(sums.games.white_wins, 2 * once.white_wins);
  EXPECT_EQ(sums.games.white_wins + sums.games.draws + sums.games.black_wins, 60u);
  EXPECT_EQ(sums.bytes, std::filesystem::file_size(folder_ / shard_name(0)) +
                            std::filesystem::file_size(folder_ / shard_name(1)));

  info.variant = Variant::Chess;
  write_shard(folder_ / shard_name(2), info, random_games<StandardRules>(2, 9));
  EXPECT_THROW(sum_shards(shard_paths(folder_)), UserError);
}

TEST_F(Shard, IsReadByTheExampleOfTheSchemaDocument) {
  const std::vector<GameRecord> games = random_games<Crazyhouse>(12, 10);
  write_shard(path_, crazyhouse_info(), games);
  const std::string document = file_bytes(FARRIER_SOURCE_DIR "/selfplay/data/SCHEMA.md");
  const std::string fence = "```python\n";
  const auto begin = document.find(fence);
  ASSERT_NE(begin, std::string::npos);
  const std::string example =
      document.substr(begin + fence.size(), document.find("```", begin + 3) - begin - fence.size());
  EXPECT_EQ(std::count(example.begin(), example.end(), '\n'), 5);

  const std::string output = run_python(example, path_);
  std::string last_game;
  for (Move move : games.back().moves) last_game += std::to_string(move.bits()) + ' ';
  EXPECT_EQ(output, "crazyhouse 12\n" + last_game + "\n");
}

}  // namespace
}  // namespace farrier
