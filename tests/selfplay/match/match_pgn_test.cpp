// PGN from the journal: every game, read back as it was played. FARRIER_MATCH=PATH takes the PATH.pgn and PATH.jsonl of a
// finished match in place of a small one.
#include "selfplay/match/match_pgn.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/chess/notation.h"
#include "selfplay/match/journal.h"
#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

class MatchPgn : public MatchTest {
 protected:
  MatchSettings small_match(Variant variant) const {
    MatchSettings settings;
    settings.variant = variant;
    settings.a.name = "one";
    settings.b.name = "two";
    settings.a.hard_nodes = settings.b.hard_nodes = 50;
    settings.a.hash_mib = settings.b.hash_mib = 1;
    settings.adjudication.max_plies = 160;
    settings.games = 6;
    settings.workers = 2;
    settings.journal = folder_ / (std::string(variant_name(variant)) + ".jsonl");
    return settings;
  }
};

std::string uci_text(const PgnGame& game) {
  std::string text;
  for (const PgnMove& move : game.moves) text += (text.empty() ? "" : " ") + to_uci(move.move);
  return text;
}

TEST_F(MatchPgn, EveryGameIsReadBackAsItWasPlayed) {
  for (const Variant variant : kAllVariants) {
    SCOPED_TRACE(variant_name(variant));
    const MatchSettings settings = small_match(variant);
    run_match(settings);
    std::vector<MatchPair> pairs = MatchJournal(settings).pairs();
    std::istringstream text(match_pgn_text(settings, pairs));

    std::sort(pairs.begin(), pairs.end(), [](const auto& x, const auto& y) { return x.index < y.index; });
    PgnReader reader(text);
    for (const MatchPair& pair : pairs) {
      for (int round = 0; round < 2; ++round) {
        const auto read = reader.next();
        ASSERT_TRUE(read);
        ASSERT_TRUE(*read) << read->reason();
        const PgnGame& game = **read;
        EXPECT_EQ(to_pgn(game), to_pgn(pgn_of(settings, pair, round)));
        EXPECT_EQ(uci_text(game), pair.opening + " " + pair.games[round].moves);
        EXPECT_EQ(game.tag("White"), round == 0 ? "one" : "two");
        const int result_white = round == 0 ? pair.games[round].result_a : -pair.games[round].result_a;
        EXPECT_EQ(game.result, result_white > 0 ? "1-0" : result_white < 0 ? "0-1" : "1/2-1/2");
      }
    }
    EXPECT_FALSE(reader.next());
  }
}

/// Of the match that FARRIER_MATCH names (without .jsonl and .pgn), or of a small one; the journal is read as plain JSON.
TEST_F(MatchPgn, AMatchOnDiskReadsBackEqualToItsJournal) {
  const char* named = std::getenv("FARRIER_MATCH");
  const std::string given = named != nullptr ? named : (folder_ / "small").string();
  if (named == nullptr) {
    MatchSettings settings = small_match(Variant::Crazyhouse);
    settings.journal = given + ".jsonl";
    run_match(settings);
    write_file(given + ".pgn", match_pgn_text(settings, MatchJournal(settings).pairs()));
  }
  std::ifstream lines(given + ".jsonl");
  std::vector<nlohmann::json> pairs;
  std::string line;
  std::getline(lines, line);  // the settings
  while (std::getline(lines, line)) pairs.push_back(nlohmann::json::parse(line));
  std::sort(pairs.begin(), pairs.end(),
            [](const auto& x, const auto& y) { return x.at("pair") < y.at("pair"); });

  std::ifstream text(given + ".pgn");
  PgnReader reader(text);
  for (const nlohmann::json& pair : pairs)
    for (const std::size_t round : {0, 1}) {
      const auto read = reader.next();
      ASSERT_TRUE(read);
      ASSERT_TRUE(*read) << read->reason();
      const nlohmann::json& game = pair.at("games").at(round);
      EXPECT_EQ(uci_text(**read),
                pair.at("opening").get<std::string>() + " " + game.at("moves").get<std::string>());
      const int result_white = game.at("result_a").get<int>() * (round == 0 ? 1 : -1);
      EXPECT_EQ((*read)->result, result_white > 0 ? "1-0" : result_white < 0 ? "0-1" : "1/2-1/2");
    }
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(pairs.empty());
}

TEST_F(MatchPgn, MovesCarryScoreDepthAndTimeAndTheEndIsTold) {
  MatchSettings settings;
  settings.a.clock = settings.b.clock = parse_time_control("1+0.01").value_or_throw("tc");
  MatchPair pair{
      .index = 4, .start_fen = std::string(start_fen(Variant::Chess)), .opening = "e2e4", .games = {}};
  pair.games[1].moves = "e7e5 g1f3";
  pair.games[1].notes = {{.score_cp_stm = -31, .depth = 12, .nodes = 5, .time_us = 450200},
                         {.score_cp_stm = mate_in(5), .depth = 7, .nodes = 5, .time_us = 1000}};
  pair.games[1].termination = Termination::TimeForfeit;
  pair.games[1].result_a = -1;  // A has black
  pair.games[1].fault = "took 1100.0 ms and had 1000 ms";
  const PgnGame game = pgn_of(settings, pair, 1);
  ASSERT_EQ(game.moves.size(), 3u);
  EXPECT_EQ(game.moves[0].comment, "book");
  EXPECT_EQ(game.moves[1].comment, "-0.31/12 0.450s");
  EXPECT_EQ(game.moves[2].comment,
            "+M3/7 0.001s, Black loses by time forfeit: took 1100.0 ms and had 1000 ms");
  EXPECT_EQ(game.result, "1-0");
  EXPECT_EQ(game.tag("Round"), "5.2");
  EXPECT_EQ(game.tag("TimeControl"), "1+0.01");
  EXPECT_EQ(game.tag("Termination"), "time forfeit");
}

TEST_F(MatchPgn, AMoveThatIsNotLegalThereIsRefused) {
  MatchPair pair{
      .index = 4, .start_fen = std::string(start_fen(Variant::Chess)), .opening = "e2e5", .games = {}};
  EXPECT_NE(refusal_of([&] { pgn_of({}, pair, 0); }).find("pair 4 of the journal"), std::string::npos);
}

}  // namespace
}  // namespace farrier
