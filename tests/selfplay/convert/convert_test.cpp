// Records through other formats and back.
#include "selfplay/convert/convert.h"

#include <fstream>

#include "engine/chess/pgn.h"
#include "selfplay/convert/pgn_games.h"
#include "selfplay/data/replay.h"
#include "tests/selfplay/records/record_testing.h"

namespace farrier {
namespace {

template <VariantRules R>
std::vector<GameRecord> scored_games(int count, std::uint64_t seed) {
  std::vector<GameRecord> games = random_games<R>(count, seed);
  for (GameRecord& game : games) {
    // Mates as a search counts them: the mover's in odd plies, the other side's in even ones.
    if (game.positions() > 8) {
      game.scores_cp_stm[game.random_plies + 2u] = mate_in(5);
      game.scores_cp_stm[game.random_plies + 5u] = mated_in(4);
    }
    game.exploratory_plies.clear();
  }
  return games;
}

class Conversions : public RecordsTest {
 protected:
  ConvertSummary convert(ConvertSettings settings) {
    std::atomic<bool> never = false;
    return convert_data(settings, never);
  }
  ConvertSummary convert(const std::string& source, const char* out, std::optional<Variant> variant = {}) {
    ConvertSettings settings;
    settings.sources = {source};
    settings.out = path(out);
    settings.from = *format_of_path(source);
    settings.to = *format_of_path(out);
    settings.variant = variant;
    return convert(settings);
  }
};

template <class R>
class ConversionsOf : public Conversions {};
using AllRules = testing::Types<StandardRules, Crazyhouse, Knightmate, PocketKnight>;
TYPED_TEST_SUITE(ConversionsOf, AllRules);

TYPED_TEST(ConversionsOf, PgnGiveTheSameGamesBack) {
  std::vector<GameRecord> games = scored_games<TypeParam>(12, 111);
  games[5].exploratory_plies = {static_cast<std::uint16_t>(games[5].random_plies + 1)};
  write_set(this->folder_ / "set", games, run_info(TypeParam::kVariant, 1), 5);
  EXPECT_EQ(this->convert(this->path("set"), "games.pgn").games, 12u);
  const ConvertSummary back = this->convert(this->path("games.pgn"), "back");
  EXPECT_EQ(back.games, 12u);
  EXPECT_EQ(back.skipped, 0u) << back.first_skipped;
  EXPECT_EQ(read_set(this->path("back")), games);
}

TYPED_TEST(ConversionsOf, EpdGiveTheScoredPliesBack) {
  const std::vector<GameRecord> games = scored_games<TypeParam>(12, 112);
  write_set(this->folder_ / "set", games, run_info(TypeParam::kVariant, 1), 5);
  const ConvertSummary there = this->convert(this->path("set"), "positions.epd");
  const ConvertSummary back = this->convert(this->path("positions.epd"), "back", TypeParam::kVariant);
  EXPECT_EQ(back.positions, there.positions);
  const std::vector<GameRecord> found = read_set(this->path("back"));
  // A game that its random plies ended has no scored ply.
  std::size_t next = 0;
  for (const GameRecord& game : games) {
    if (game.positions() == 0) continue;
    ASSERT_LT(next, found.size());
    const GameRecord& part = found[next++];
    EXPECT_EQ(part.random_plies, 0);
    EXPECT_EQ(part.result_white, game.result_white);
    EXPECT_TRUE(std::equal(part.moves.begin(), part.moves.end(), game.moves.begin() + game.random_plies,
                           game.moves.end()));
    EXPECT_EQ(part.scores_cp_stm, std::vector<std::int16_t>(game.scores_cp_stm.begin() + game.random_plies,
                                                            game.scores_cp_stm.end()));
    EXPECT_EQ(find_fault<TypeParam>(part, ScoreRule::MayLack), std::nullopt);
  }
  EXPECT_EQ(next, found.size());
}

TYPED_TEST(ConversionsOf, TextGiveAllPliesButTheLastBack) {
  const std::vector<GameRecord> games = scored_games<TypeParam>(6, 113);
  write_set(this->folder_ / "set", games, run_info(TypeParam::kVariant, 1), 6);
  const ConvertSummary there = this->convert(this->path("set"), "positions.txt");
  EXPECT_EQ(there.games, 6u);
  std::uint64_t positions = 0;
  for (const GameRecord& game : games) positions += game.positions();
  EXPECT_EQ(there.positions, positions);
  const ConvertSummary back = this->convert(this->path("positions.txt"), "back", TypeParam::kVariant);
  EXPECT_EQ(back.positions, positions - 6);
  EXPECT_EQ(read_set(this->path("back"))[0].result_white, games[0].result_white);
}

TEST_F(Conversions, OfAPositionsFileAreReadByTheExampleOfTheSchemaDocument) {
  std::vector<GameRecord> games = scored_games<Crazyhouse>(8, 114);
  write_set(folder_ / "set", games, run_info(Variant::Crazyhouse, 1), 8);
  ConvertSettings settings;
  settings.sources = {path("set")};
  settings.out = path("positions.h5");
  settings.to = DataFormat::Positions;
  const ConvertSummary summary = convert(settings);

  const std::string document = file_bytes(FARRIER_SOURCE_DIR "/selfplay/data/SCHEMA.md");
  const std::string fence = "```python\n";
  const auto begin = document.find(fence, document.find("## A positions file"));
  ASSERT_NE(begin, std::string::npos);
  const std::string example =
      document.substr(begin + fence.size(), document.find("```", begin + 3) - begin - fence.size());
  EXPECT_EQ(std::count(example.begin(), example.end(), '\n'), 5);
  // Men of the first position, hands, score and result of the last.
  Board first, last;
  int score = 0, result_stm = 0;
  for (const GameRecord& game : games)
    replay<Crazyhouse>(game, [&](const Board& board, Move, std::int16_t s, std::size_t) {
      if (s == kNoScore) return;
      if (first.occupied().empty()) first = board;
      last = board;
      score = s;
      result_stm = board.side_to_move == Color::White ? game.result_white : -game.result_white;
    });
  std::string hands;
  for (const auto& hand : last.hands)
    for (const std::uint8_t n : hand) hands += std::to_string(n) + " ";
  EXPECT_EQ(run_python(example, path("positions.h5")), "crazyhouse " + std::to_string(summary.positions) +
                                                           " " + std::to_string(first.occupied().count()) +
                                                           "\n" + hands + "\n" + std::to_string(score) + " " +
                                                           std::to_string(result_stm) + "\n");
}

TEST_F(Conversions, OfPositionsTakeTheFiltersOfLoading) {
  write_set(folder_ / "set", scored_games<Crazyhouse>(20, 115), run_info(Variant::Crazyhouse, 1), 20);
  ConvertSettings settings;
  settings.sources = {path("set")};
  settings.out = path("few.txt");
  settings.filters.in_check = settings.filters.noisy = true;
  settings.filters.max_score_cp = 500;
  const ConvertSummary summary = convert(settings);
  EXPECT_EQ(summary.filtered.kept, static_cast<std::int64_t>(summary.positions));
  EXPECT_GT(summary.filtered.noisy, 0);
  EXPECT_GT(summary.filtered.max_score, 0);
  const std::string text = file_bytes(path("few.txt"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(summary.positions));
  // Games are written whole: a filter would say what it does not do.
  settings.to = DataFormat::Pgn;
  settings.out = path("few.pgn");
  EXPECT_THROW(convert(settings), WrongCall);
}

TEST_F(Conversions, SkipBrokenGamesAndTellTheFirst) {
  std::ofstream(folder_ / "mixed.pgn") << R"([Event "?"]
[Result "1-0"]

1. e4 {+0.35/8 0.1s} e5 {-0.20/9} 2. Ke3 1-0

[Result "0-1"]

1. f3 {book} e5 {+0.50/7 0.2s} 2. g4 {-M1/12} Qh4# {+M1/14} 0-1

[Result "1-0"]
[Termination "time forfeit"]

1. e4 e5 1-0

[Result "*"]

1. e4 e5 *

[Variant "Crazyhouse"]
[Result "1-0"]

1. e4 e5 1-0

[Result "1-0"]

1. e4 { [%eval 0.31] } e5 { [%eval 0.25] } 2. Nf3 2... Nc6 { [%eval #-3] } 1-0
)";
  const ConvertSummary summary = convert(path("mixed.pgn"), "back");
  EXPECT_EQ(summary.games, 2u);
  EXPECT_EQ(summary.skipped, 4u);
  EXPECT_TRUE(contains(summary.first_skipped, "mixed.pgn: game 1, line 4, move 2")) << summary.first_skipped;
  const std::vector<GameRecord> games = read_set(path("back"));
  ASSERT_EQ(games.size(), 2u);
  EXPECT_EQ(games[0].random_plies, 1);
  EXPECT_EQ(games[0].termination, Termination::Checkmate);
  EXPECT_EQ(games[0].scores_cp_stm, (std::vector<std::int16_t>{kNoScore, 50, mated_in(2), mate_in(1)}));
  EXPECT_EQ(games[1].termination, Termination::AdjudicatedWin);
  EXPECT_EQ(games[1].scores_cp_stm, (std::vector<std::int16_t>{31, -25, kNoScore, mate_in(5)}));
  EXPECT_EQ(call("data check " + path("back")).status, 0) << "an imported ply may lack its score";
}

TEST_F(Conversions, OfAnotherProgramsFilesAreRead) {
  for (const std::string program : {"cutechess", "lichess"}) {
    const std::string out = path(program.c_str());
    const CommandResult result =
        call("data convert " FARRIER_TEST_DATA "/pgn_" + program + ".pgn --variant crazyhouse --out " + out);
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_TRUE(contains(result.output, "1 games, 6")) << result.output;
    EXPECT_TRUE(contains(result.output, "2 skipped")) << result.output;
    EXPECT_EQ(call("data check " + out).status, 0) << call("data check " + out).output;
  }
}

TEST_F(Conversions, OfLonePositionsIntoRecordsAreRefused) {
  std::ofstream(folder_ / "lone.txt")
      << "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 20 | 0.5\n"
      << "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1 | 120 | 1.0\n";
  const std::string sentence = refusal([&] { convert(path("lone.txt"), "back", Variant::Chess); });
  EXPECT_TRUE(contains(sentence, "all 2 were skipped, nothing was written")) << sentence;
  EXPECT_TRUE(contains(sentence, "a position alone")) << sentence;
  EXPECT_EQ(names_in(folder_), std::vector<std::string>{"lone.txt"});
  // As positions they are fine.
  ConvertSettings settings;
  settings.sources = {path("lone.txt")};
  settings.from = DataFormat::Text;
  settings.to = DataFormat::Positions;
  settings.out = path("lone.h5");
  settings.variant = Variant::Chess;
  EXPECT_EQ(convert(settings).positions, 2u);
}

TEST_F(Conversions, StopAtTheLimitAndNeverOverwrite) {
  write_set(folder_ / "set", scored_games<Crazyhouse>(20, 116), run_info(Variant::Crazyhouse, 1), 7);
  EXPECT_EQ(call("data convert " + path("set") + " --limit 9 --out " + path("nine.pgn")).status, 0);
  EXPECT_EQ(convert(path("nine.pgn"), "nine").games, 9u);
  const CommandResult again = call("data convert " + path("set") + " --out " + path("nine.pgn"));
  EXPECT_EQ(again.status, 1);
  EXPECT_TRUE(contains(again.output, "nine.pgn: is there already")) << again.output;
  EXPECT_EQ(call("data convert " + path("set") + " --out " + path("x.unknown")).status, 2);
  EXPECT_EQ(call("data convert " + path("set") + " --out " + path("records")).status, 2);
  EXPECT_EQ(call("data convert " + path("set") + " --to rar --out " + path("x")).status, 2);
  std::ofstream(folder_ / "a.txt") << "";
  EXPECT_EQ(call("data convert " + path("a.txt") + " --out " + path("x.epd")).status, 2) << "no variant";
}

TEST(ScoreInComment, IsReadAsCuteChessAndLichessWriteIt) {
  EXPECT_EQ(score_in_comment("+0.35/8 0.45s", Color::Black), 35);
  EXPECT_EQ(score_in_comment("-12.00/21 1.2s, book", Color::White), -1200);
  EXPECT_EQ(score_in_comment("0.00/1", Color::White), 0);
  EXPECT_EQ(score_in_comment("+M3/12", Color::White), mate_in(5));
  EXPECT_EQ(score_in_comment("-M2/12", Color::White), mated_in(4));
  EXPECT_EQ(score_in_comment("[%eval -0.17]", Color::Black), 17);
  EXPECT_EQ(score_in_comment("good [%eval 0.17,23] [%clk 0:01:00]", Color::White), 17);
  EXPECT_EQ(score_in_comment("[%eval #-3]", Color::White), mated_in(6));
  for (const char* comment :
       {"", "book", "1/2", "e4/e5", "[%eval ]", "[%eval 1.2x]", "+/8", "[%eval #0]", "nan/3"})
    EXPECT_EQ(score_in_comment(comment, Color::White), std::nullopt) << comment;
}

}  // namespace
}  // namespace farrier
