// Players as typed: nets, material and engines, each with limits of his own or those of the match.
#include "selfplay/match/player_text.h"

#include <gtest/gtest.h>

#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

using std::chrono::milliseconds;

CommonPlayerSettings common() {
  CommonPlayerSettings settings;
  settings.spec.hard_nodes = 700;
  settings.spec.hash_mib = 8;
  return settings;
}

TEST(PlayerText, MaterialTakesTheLimitsOfTheMatch) {
  const PlayerSpec spec = parse_player("material", common());
  EXPECT_EQ(spec.name, "material");
  EXPECT_FALSE(spec.net);
  EXPECT_FALSE(spec.engine);
  EXPECT_EQ(spec.hard_nodes, 700u);
  EXPECT_EQ(spec.hash_mib, 8u);
}

TEST(PlayerText, LimitsOfOnesOwnReplaceThoseOfTheMatch) {
  const PlayerSpec spec =
      parse_player("material tc=40/60+0.6 depth=9 hash=2 noise=5 name='the plain one'", common());
  EXPECT_EQ(spec.name, "the plain one");
  EXPECT_FALSE(spec.hard_nodes);
  EXPECT_EQ(spec.clock, (TimeControl{40, milliseconds(60000), milliseconds(600)}));
  EXPECT_EQ(spec.depth, 9);
  EXPECT_EQ(spec.hash_mib, 2u);
  EXPECT_EQ(spec.material_noise_cp, 5);
  EXPECT_EQ(parse_player("material movetime=15", common()).move_time, milliseconds(15));
}

TEST(PlayerText, SoftNodesFinishTheIterationWithinABound) {
  const PlayerSpec own = parse_player("material nodes=50 soft=yes", common());
  EXPECT_EQ(own.soft_nodes, 50u);
  EXPECT_EQ(own.hard_nodes, 1000u);
  CommonPlayerSettings settings = common();
  settings.soft = true;
  EXPECT_EQ(parse_player("material", settings).soft_nodes, 700u);
}

TEST(PlayerText, AnEngineIsACommandWithItsOptions) {
  const PlayerSpec spec = parse_player(
      "cmd=/usr/games/fairy-stockfish args='-x \"two words\"' dir=/tmp option.Hash=16 "
      "\"option.Move Overhead=10\" restart=yes tc=1+0.01",
      common());
  ASSERT_TRUE(spec.engine);
  EXPECT_EQ(spec.name, "fairy-stockfish");
  EXPECT_EQ(spec.engine->child.program, "/usr/games/fairy-stockfish");
  EXPECT_EQ(spec.engine->child.args, (std::vector<std::string>{"-x", "two words"}));
  EXPECT_EQ(spec.engine->child.folder, "/tmp");
  EXPECT_TRUE(spec.engine->restart_every_game);
  EXPECT_EQ(spec.engine->options,
            (std::vector<std::pair<std::string, std::string>>{{"Hash", "16"}, {"Move Overhead", "10"}}));
  EXPECT_TRUE(spec.is_timed());
}

TEST(PlayerText, ParametersOfTheSearchAreSet) {
  const PlayerSpec spec = parse_player("material param.delta_margin=90 param.check_order=0", common());
  EXPECT_EQ(spec.params.delta_margin, 90);
  EXPECT_EQ(spec.params.check_order, 0);
  EXPECT_EQ(spec.params.futility_margin, SearchParams().futility_margin);
}

TEST(PlayerText, ATextLongerThanAPathMayBeIsReadAllTheSame) {
  std::string text = "material";
  while (text.size() < 5000) text += " param.delta_margin=90";
  EXPECT_EQ(parse_player(text, common()).params.delta_margin, 90);
}

TEST(PlayerText, WhatMakesNoPlayerIsNamed) {
  const auto refusal = [](const std::string& text) {
    return refusal_of([&] { parse_player(text, common()); });
  };
  EXPECT_EQ(
      refusal("material nods=5"),
      "player: nods=5: is no setting of a player; there are cmd, args, dir, name, option.NAME, restart, net, "
      "hash, noise, param.NAME, nodes, soft, depth, movetime, tc");
  EXPECT_EQ(refusal("material param.no_such=5"),
            "player: param.no_such=5: the search has no such parameter; `farrier tune --list` tells them");
  EXPECT_EQ(refusal("material param.delta_margin=1"),
            "player: param.delta_margin=1: must be a number from 30 to 400");
  EXPECT_EQ(refusal("cmd=engine param.delta_margin=50"),
            "player: engine: takes option.Hash, not hash, noise or param.NAME");
  EXPECT_EQ(refusal("material nodes=many"), "player: nodes=many: must be a number from 1 to 1099511627776");
  EXPECT_NE(refusal("b\xff.fnn").find("is not UTF-8"), std::string::npos);
  EXPECT_NE(refusal("material tc=fast").find("player: tc=fast: \"fast\" is no time control"),
            std::string::npos);
  EXPECT_NE(refusal("material soft=perhaps").find("must be yes or no"), std::string::npos);
  EXPECT_NE(refusal("nodes=5").find("must be given"), std::string::npos);
  EXPECT_NE(refusal("").find("must be given"), std::string::npos);
  EXPECT_NE(refusal("material option.Hash=1").find("need cmd=PROGRAM"), std::string::npos);
  EXPECT_NE(refusal("cmd=x hash=16").find("takes option.Hash"), std::string::npos);
  EXPECT_NE(refusal("material cmd=x").find("together with cmd="), std::string::npos);
  EXPECT_NE(refusal("material name='open").find("a quote that never ends"), std::string::npos);
  EXPECT_NE(refusal("absent.fnn").find("absent.fnn"), std::string::npos);
}

TEST(TimeControlText, IsReadAndWrittenInOneForm) {
  for (const std::string text : {"1+0.01", "40/60+0.6", "300", "0.2+0.002", "5/10"})
    EXPECT_EQ(to_text(parse_time_control(text).value_or_throw("tc")), text);
  for (const std::string text : {"", "+1", "0+1", "x", "1+", "/5", "0/5", "-1", "1+-1", "1e9", "nan", "1:00"})
    EXPECT_FALSE(parse_time_control(text)) << text;
}

}  // namespace
}  // namespace farrier
