// Books: every line is an opening or an error with its place, and the builder's own are read back.
#include "selfplay/match/opening_book.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "engine/chess/fen.h"
#include "engine/chess/notation.h"
#include "engine/variants/crazyhouse.h"
#include "engine/variants/dispatch.h"
#include "engine/variants/standard_rules.h"
#include "selfplay/match/book_builder.h"
#include "selfplay/match/journal.h"
#include "selfplay/match/match_runner.h"
#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

class OpeningBooks : public MatchTest {
 protected:
  BookSettings book(const std::string& text, const std::string& name = "book.epd") const {
    write_file(folder_ / name, text);
    return {.file = folder_ / name};
  }
  template <VariantRules R>
  static std::string refusal(const BookSettings& settings) {
    const std::string text = refusal_of([&] { OpeningBook::read<R>(settings); });
    return text.substr(std::min(text.size(), text.find("book.")));
  }
  static std::vector<std::string> fens_of(const OpeningBook& book, BookOrder order, std::uint64_t seed,
                                          int count) {
    std::vector<std::string> fens;
    for (int i = 0; i < count; ++i) fens.push_back(to_fen<StandardRules>(book.opening(i, order, seed).start));
    return fens;
  }
};

const std::string kThree =
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1; id \"king's pawn\";\n"
    "\n"
    "# a comment\r\n"
    "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\r\n"
    "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1\n";

TEST_F(OpeningBooks, AByteOrderMarkOfAWindowsEditorIsNoPartOfTheFirstLine) {
  EXPECT_EQ(OpeningBook::read<StandardRules>(book("\xEF\xBB\xBF" + kThree)).size(), 3u);
}

TEST_F(OpeningBooks, AFolderIsNoBook) {
  const BookSettings folder{.file = folder_};
  EXPECT_NE(refusal_of([&] { OpeningBook::read<StandardRules>(folder); }).find("is a folder"),
            std::string::npos);
}

TEST_F(OpeningBooks, AnEpdLineIsAPositionWithOperationsOrCountsOrNeither) {
  const OpeningBook read = OpeningBook::read<StandardRules>(book(kThree));
  EXPECT_EQ(fens_of(read, BookOrder::Sequential, 1, 4),
            (std::vector<std::string>{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
                                      "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
                                      "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
                                      "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"}));
}

TEST_F(OpeningBooks, ARandomOrderHoldsEveryOpeningOnceBeforeItRepeatsAny) {
  const OpeningBook read = OpeningBook::read<StandardRules>(book(kThree));
  std::set<std::vector<std::string>> orders;
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    const std::vector<std::string> fens = fens_of(read, BookOrder::Random, seed, 3);
    EXPECT_EQ(std::set<std::string>(fens.begin(), fens.end()).size(), 3u);
    EXPECT_EQ(fens, fens_of(read, BookOrder::Random, seed, 3));
    orders.insert(fens);
  }
  EXPECT_EQ(orders.size(), 6u);
}

TEST_F(OpeningBooks, ABadLineIsNamed) {
  const auto refused = [&](const std::string& line) { return refusal<StandardRules>(book(kThree + line)); };
  EXPECT_TRUE(refused("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -")
                  .starts_with("book.epd: line 6: FEN field 1"));
  EXPECT_EQ(refused("e2e4"),
            "book.epd: line 6: an EPD line needs a board, the side to move, castling and en passant");
  EXPECT_EQ(refused("7k/5QQ1/8/8/8/8/8/K7 b - -"), "book.epd: line 6: the game is over there (checkmate)");
  EXPECT_EQ(refused("4k3/8/8/8/8/8/8/4K3 w - -"), "book.epd: line 6: the game is over there (dead position)");
  EXPECT_TRUE(refused("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1")
                  .starts_with("book.epd: line 6: leads to the same position as "));
  EXPECT_TRUE(refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0")
                  .starts_with("book.epd: line 6: \"0\""));
  EXPECT_EQ(refusal<StandardRules>(book("\n# nothing\n")), "book.epd: the book holds no opening");
  EXPECT_NE(refusal_of([&] {
              OpeningBook::read<StandardRules>({.file = folder_ / "absent.epd"});
            }).find("absent.epd: the book cannot be opened"),
            std::string::npos);
}

TEST_F(OpeningBooks, AGameOfAPgnGivesItsFirstMoves) {
  const std::string pgn =
      "[Variant \"crazyhouse\"]\n\n1. e4 d5 2. exd5 {a pawn} Qxd5 3. @d4 *\n\n"
      "[Variant \"crazyhouse\"]\n\n1. d4 *\n\n";
  BookSettings settings = book(pgn, "book.pgn");
  settings.plies = 4;
  const OpeningBook read = OpeningBook::read<Crazyhouse>(settings);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read.longest(), 4);
  const Opening& first = read.opening(0, BookOrder::Sequential, 1);
  ASSERT_EQ(first.moves.size(), 4u);
  EXPECT_EQ(to_uci(first.moves[3]), "d8d5");
  EXPECT_EQ(refusal<StandardRules>(settings), "book.pgn: game 1: is a game of crazyhouse, not of chess");
  const std::string broken =
      refusal<Crazyhouse>(book(pgn + "[Variant \"crazyhouse\"]\n\n1. e5 *\n", "book.pgn"));
  EXPECT_NE(broken.find("line 11"), std::string::npos) << broken;
}

TEST_F(OpeningBooks, AMatchPlaysEachOpeningTwiceAndNeverTheSamePairAgain) {
  MatchSettings settings;
  settings.variant = Variant::Chess;
  settings.a.hard_nodes = settings.b.hard_nodes = 30;
  settings.adjudication.max_plies = 30;
  settings.games = 6;
  settings.workers = 2;
  settings.book = book(kThree);
  settings.journal = folder_ / "match.jsonl";
  EXPECT_EQ(run_match(settings).games.games(), 6);
  std::set<std::string> starts;
  const std::vector<MatchPair> pairs = MatchJournal(settings).pairs();
  for (const MatchPair& pair : pairs) {
    starts.insert(pair.start_fen);
    EXPECT_EQ(pair.opening, "");
  }
  EXPECT_EQ(starts.size(), 3u);
  settings.games = 8;
  settings.journal.clear();
  EXPECT_NE(refusal_of([&] { run_match(settings); }).find("holds 3 openings"), std::string::npos);
  settings.journal = folder_ / "match.jsonl";
  settings.games = 6;
  settings.book = book(kThree + "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1\n");
  EXPECT_NE(refusal_of([&] { run_match(settings); }).find("openings/book"), std::string::npos);
}

TEST_F(OpeningBooks, ABookIsBuiltOfDifferentEvenPositionsWhateverTheNumberOfWorkers) {
  for (const Variant variant : kAllVariants) {
    SCOPED_TRACE(variant_name(variant));
    BookBuildSettings settings;
    settings.variant = variant;
    settings.file = folder_ / "one.epd";
    settings.count = 90;
    settings.openings = {
        .random_plies = 4, .one_more_on_a_coin = true, .max_score_cp = 60, .check_nodes = 300};
    settings.workers = 1;
    const BookBuildResult result = build_book(settings);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.positions, 90);
    const std::string text = read_file(settings.file);
    settings.workers = 2;
    settings.file = folder_ / "two.epd";
    build_book(settings);
    EXPECT_EQ(read_file(settings.file), text);
    settings.seed = 2;
    build_book(settings);
    EXPECT_NE(read_file(settings.file), text);

    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t score = line.find(" ce ");
      ASSERT_NE(score, std::string::npos) << line;
      EXPECT_LE(std::abs(std::stoi(line.substr(score + 4))), 60);
    }
    with_rules(variant, [&]<VariantRules R>() {
      EXPECT_EQ(OpeningBook::read<R>({.file = folder_ / "one.epd"}).size(), 90u);
    });
  }
}

TEST_F(OpeningBooks, TooFewPliesForSoManyPositionsAreToldAndLeaveNoFile) {
  BookBuildSettings settings;
  settings.file = folder_ / "small.epd";
  settings.count = 1000;
  settings.openings = {
      .random_plies = 1, .one_more_on_a_coin = false, .max_score_cp = 500, .check_nodes = 10};
  EXPECT_EQ(
      refusal_of([&] { build_book(settings); }),
      "--make-book: only 20 different even positions were found; raise --random-plies or --opening-max-cp");
  EXPECT_FALSE(std::filesystem::exists(settings.file));
}

TEST_F(OpeningBooks, AStoppedBuilderLeavesNoFile) {
  BookBuildSettings settings;
  settings.file = folder_ / "stopped.epd";
  settings.openings = {
      .random_plies = 6, .one_more_on_a_coin = false, .max_score_cp = 500, .check_nodes = 10};
  std::atomic<bool> stop{false};
  settings.stop = &stop;
  settings.on_progress = [&](std::int64_t) { stop = true; };
  const BookBuildResult result = build_book(settings);
  EXPECT_FALSE(result.complete);
  EXPECT_GT(result.positions, 0);
  EXPECT_FALSE(std::filesystem::exists(settings.file));
}

}  // namespace
}  // namespace farrier
