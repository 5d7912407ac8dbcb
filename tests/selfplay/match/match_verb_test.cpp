// The verb `match` as typed: what it prints and with which status it ends.
#include "selfplay/match/match_verb.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

struct Answer {
  int status = 0;
  std::string printed;
};

/// Throws UserError and, for wrong calls, CLI::ParseError, as the program's main would see them.
Answer call(const std::string& line) {
  CLI::App app;
  add_match_verb(app);
  Answer answer;
  testing::internal::CaptureStdout();
  try {
    app.parse(line, false);
  } catch (const CLI::RuntimeError& end) {
    answer.status = end.get_exit_code();
  } catch (...) {
    testing::internal::GetCapturedStdout();
    throw;
  }
  answer.printed = testing::internal::GetCapturedStdout();
  return answer;
}

const std::string kQuick = "match --a material --b material --variant crazyhouse --nodes 30 --max-plies 60 ";

class MatchVerb : public MatchTest {};

TEST_F(MatchVerb, ReportsCountsAndEloAndEndsWithStatusZero) {
  const Answer answer = call(kQuick + "--games 4");
  EXPECT_EQ(answer.status, 0);
  EXPECT_NE(answer.printed.find("Match of crazyhouse, seed 1: A material against B material\nGames 4: "),
            std::string::npos)
      << answer.printed;
  EXPECT_NE(answer.printed.find("WL or DD 2,"), std::string::npos) << answer.printed;
  EXPECT_NE(answer.printed.find("nodes a move: A 30, B 30"), std::string::npos) << answer.printed;
}

TEST_F(MatchVerb, WithoutAProofOfStrengthASequentialTestEndsWithStatusOne) {
  const Answer undecided = call(kQuick + "--games 4 --sprt 0,100");
  EXPECT_EQ(undecided.status, 4);
  EXPECT_NE(undecided.printed.find("All games played without a verdict"), std::string::npos);
  const Answer rejected = call(kQuick + "--games 2000 --sprt 0,1000 --random-plies 2");
  EXPECT_EQ(rejected.status, 1);
  EXPECT_NE(rejected.printed.find("H0 accepted"), std::string::npos) << rejected.printed;
}

TEST_F(MatchVerb, JsonHoldsTheSameFigures) {
  const Answer answer = call(kQuick + "--games 4 --json");
  const nlohmann::json json = nlohmann::json::parse(answer.printed);
  EXPECT_EQ(json.at("end"), "all played");
  EXPECT_EQ(json.at("pentanomial"), (nlohmann::json{0, 0, 2, 0, 0}));
  EXPECT_EQ(json.at("strength").at("elo"), 0);
  EXPECT_TRUE(json.at("strength").at("elo_error_95").is_null());
  EXPECT_EQ(json.at("settings").at("a").at("hard_nodes"), 30);
}

TEST_F(MatchVerb, ANetTellsItsVariantAndRefusesAnother) {
  const std::string path = (folder_ / "random.fnn").string();
  write_net(random_net(Variant::Knightmate, 1), path);
  const std::string players = "match --a material --b " + path + " --nodes 30 --max-plies 40 --games 4";
  const Answer answer = call(players);
  EXPECT_EQ(answer.status, 0);
  EXPECT_TRUE(answer.printed.starts_with("Match of knightmate, seed 1: A material against B " + path));
  EXPECT_EQ(refusal_of([&] { call(players + " --variant chess"); }),
            path + ": is a net for knightmate, not for chess; give one of this variant");
}

TEST_F(MatchVerb, SeveralEnginesMakeATournamentWithATable) {
  const std::string players =
      "match --engine \"material name=x\" --engine \"material name=y nodes=60\" --engine \"material name=z "
      "depth=1\" --variant chess --nodes 30 --max-plies 30 --games 2 ";
  const std::string pgn = (folder_ / "all.pgn").string();
  const Answer answer = call(players + "--journal " + (folder_ / "all.jsonl").string() + " --pgn " + pgn);
  EXPECT_EQ(answer.status, 0);
  for (const std::string part : {"A x against B y", "A x against B z", "A y against B z", "player"})
    EXPECT_NE(answer.printed.find(part), std::string::npos) << part;
  const std::string games = read_file(pgn);
  EXPECT_NE(games.find("[Round \"3.1.2\"]"), std::string::npos) << games;
  const Answer gauntlet = call(players + "--tournament gauntlet --json");
  EXPECT_EQ(nlohmann::json::parse(gauntlet.printed).at("matches").size(), 2u);
}

TEST_F(MatchVerb, MakesABookAndPlaysFromIt) {
  const std::string book = (folder_ / "book.epd").string();
  const Answer made =
      call("match --make-book " + book +
           " --variant knightmate --count 4 --book-nodes 100 --random-plies 4 --judge material");
  EXPECT_EQ(made.status, 0);
  EXPECT_TRUE(made.printed.starts_with(book + ": 4 openings of knightmate; left out: ")) << made.printed;
  const std::string match =
      "match --a material --b material --variant knightmate --nodes 30 --max-plies 60 --book " + book;
  EXPECT_EQ(call(match + " --games 8").status, 0);
  EXPECT_NE(refusal_of([&] { call(match + " --games 10"); }).find("holds 4 openings"), std::string::npos);
}

TEST_F(MatchVerb, BadInputIsToldInOneSentence) {
  EXPECT_EQ(refusal_of([] { call("match --a material --b material --variant draughts"); }),
            "--variant draughts: there is no such variant; choose one of chess, crazyhouse, knightmate, "
            "pocketknight");
  EXPECT_NE(refusal_of([] { call("match --a absent.fnn --b material"); }).find("absent.fnn"),
            std::string::npos);
  EXPECT_THROW(call("match --a material --b material"), CLI::ParseError);  // which variant?
  EXPECT_THROW(call("match --a material"), CLI::ParseError);
  EXPECT_THROW(call(kQuick + "--sprt 5"), CLI::ParseError);
  EXPECT_THROW(call(kQuick + "--nodes 0"), CLI::ParseError);
}

}  // namespace
}  // namespace farrier
