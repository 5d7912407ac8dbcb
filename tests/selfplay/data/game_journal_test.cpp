// The journal gives back every whole game, whatever a kill did to its end.
#include "selfplay/data/game_journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/base/error.h"
#include "tests/selfplay/data/test_games.h"

namespace farrier {
namespace {

class GameJournalFile : public testing::Test {
 protected:
  ~GameJournalFile() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ = make_test_folder();
  std::filesystem::path path_ = folder_ / "games.journal";
  std::vector<GameRecord> games_ = random_games<Crazyhouse>(5, 21);
};

TEST_F(GameJournalFile, GivesBackItsGames) {
  {
    GameJournal journal(path_, "seed = 1\n");
    EXPECT_TRUE(journal.games().empty());
    for (const std::uint64_t index : {3u, 0u, 4u, 1u}) journal.append(index, games_[index]);
  }
  const auto found = GameJournal(path_, "seed = 1\n").games();
  ASSERT_EQ(found.size(), 4u);
  for (const auto& [index, game] : found) EXPECT_EQ(game, games_[index]);
}

TEST_F(GameJournalFile, KeepsTheMarksOfExploratoryPlies) {
  const GameRecord marked = random_game<Crazyhouse>(3, 120, true);
  ASSERT_FALSE(marked.exploratory_plies.empty());
  GameJournal(path_, "seed = 1\n").append(0, marked);
  EXPECT_EQ(GameJournal(path_, "seed = 1\n").games().at(0), marked);
}

TEST_F(GameJournalFile, CutAtAnyByteKeepsTheWholeGamesBeforeTheCut) {
  std::vector<std::uintmax_t> ends;
  {
    GameJournal journal(path_, "seed = 1\n");
    ends.push_back(std::filesystem::file_size(path_));
    for (std::uint64_t index = 0; index < 3; ++index) {
      journal.append(index, games_[index]);
      ends.push_back(std::filesystem::file_size(path_));
    }
  }
  const std::string bytes = file_bytes(path_);
  for (std::size_t kept = ends[0]; kept <= bytes.size(); kept += 37) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes.substr(0, kept);
    const std::size_t whole =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), kept) - ends.begin()) - 1;
    {
      GameJournal journal(path_, "seed = 1\n");
      ASSERT_EQ(journal.games().size(), whole) << kept;
      journal.append(4, games_[4]);
    }
    const auto found = GameJournal(path_, "seed = 1\n").games();
    ASSERT_EQ(found.size(), whole + 1) << "a game after the torn tail was lost, cut at " << kept;
    EXPECT_EQ(found.at(4), games_[4]);
  }
}

TEST_F(GameJournalFile, DropsGamesThatAShardHolds) {
  GameJournal journal(path_, "seed = 1\n");
  for (std::uint64_t index = 0; index < 5; ++index) journal.append(index, games_[index]);
  journal.drop_below(3);
  journal.append(5, games_[0]);
  const auto found = GameJournal(path_, "seed = 1\n").games();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found.begin()->first, 3u);
}

TEST_F(GameJournalFile, OfOtherSettingsIsRefusedWithTheLineThatDiffers) {
  GameJournal(path_, "seed = 1\nsoft_nodes = 400\n");
  GameJournal(path_, "seed = 1\nsoft_nodes = 500\n").append(0, games_[0]);
  try {
    GameJournal journal(path_, "seed = 1\nsoft_nodes = 800\n");
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_NE(
        std::string(error.what()).find("was begun with [soft_nodes = 500], not with [soft_nodes = 800]"),
        std::string::npos)
        << error.what();
  }
}

TEST_F(GameJournalFile, ThatIsForeignIsRefused) {
  std::ofstream(path_) << "notes of a chess lover";
  EXPECT_THROW(GameJournal(path_, "seed = 1\n"), UserError);
}

}  // namespace
}  // namespace farrier
