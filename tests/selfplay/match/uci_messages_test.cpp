// What engines say of their searches and options.
#include "selfplay/match/uci_messages.h"

#include <gtest/gtest.h>

namespace farrier {
namespace {

UciInfo after(const std::vector<std::string>& lines) {
  UciInfo info;
  for (const std::string& line : lines) info.read(line);
  return info;
}

TEST(UciInfo, TheLastScoreDepthAndNodesCount) {
  const UciInfo info = after({"info depth 7 seldepth 9 score cp 20 nodes 900 nps 1 pv e2e4",
                              "info depth 8 seldepth 9 multipv 1 score cp -31 nodes 1200 pv score cp 99",
                              "info nodes 1300 nps 5", "info string depth 99 score cp 999", "info"});
  EXPECT_EQ(info.score_cp_stm, -31);
  EXPECT_EQ(info.depth, 8);
  EXPECT_EQ(info.nodes, 1300u);
}

TEST(UciInfo, MatesAreScoresInPlies) {
  EXPECT_EQ(after({"info depth 5 score mate 3"}).score_cp_stm, mate_in(5));
  EXPECT_EQ(after({"info depth 5 score mate -2"}).score_cp_stm, mated_in(4));
  EXPECT_EQ(after({"info depth 5 score mate 100000"}).score_cp_stm, mate_in(kMaxPly - 1));
  EXPECT_EQ(moves_to_mate(*after({"info depth 5 score mate -7"}).score_cp_stm), -7);
}

TEST(UciInfo, OtherLinesThanTheBestAndBoundsReplaceNothing) {
  const UciInfo info =
      after({"info depth 8 multipv 1 score cp 40 nodes 10", "info depth 8 multipv 2 score cp -90 nodes 11",
             "info depth 9 score cp 70 lowerbound nodes 12"});
  EXPECT_EQ(info.score_cp_stm, 40);
  EXPECT_EQ(info.nodes, 12u);
  EXPECT_EQ(after({"info depth 1 score cp 70 upperbound"}).score_cp_stm, 70);  // better than nothing
}

TEST(UciInfo, RubbishIsNoScore) {
  EXPECT_FALSE(
      after({"info score", "info score cp", "info score cp x", "info depth y score pawns 3"}).score_cp_stm);
  EXPECT_EQ(after({"info depth 4 score cp 10000000"}).score_cp_stm, kMaxEval);
}

TEST(UciOption, HasANameOfSeveralWordsATypeAndChoices) {
  const auto option =
      parse_uci_option("option name UCI_Variant type combo default chess var chess var crazyhouse");
  ASSERT_TRUE(option);
  EXPECT_EQ(option->name, "UCI_Variant");
  EXPECT_EQ(option->choices, (std::vector<std::string>{"chess", "crazyhouse"}));
  EXPECT_EQ(parse_uci_option("option name Clear Hash type button")->name, "Clear Hash");
  EXPECT_EQ(parse_uci_option("option name Clear Hash type button")->type, "button");
  EXPECT_FALSE(parse_uci_option("option name"));
  EXPECT_FALSE(parse_uci_option("id name option"));
  EXPECT_TRUE(same_option_name("clear hash", "Clear Hash"));
  EXPECT_FALSE(same_option_name("Hash", "Clear Hash"));
}

TEST(UciMove, HasAFormWhetherItIsLegalOrNot) {
  for (const std::string text : {"e2e4", "a7a8q", "a7a8m", "N@f3", "n@f3", "a1h8"})
    EXPECT_TRUE(has_form_of_move(text)) << text;
  for (const std::string text : {"", "e2", "e2e9", "tomorrow", "O-O", "e2e4q5", "@@f3", "Nf3", "a7a8="})
    EXPECT_FALSE(has_form_of_move(text)) << text;
}

}  // namespace
}  // namespace farrier
