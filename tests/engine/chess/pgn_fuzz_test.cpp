// The PGN reader on bytes that nobody meant as PGN: it ends, it holds its laws, and it loses no sound game for long.
#include <gtest/gtest.h>

#include "tests/support/pgn_testing.h"

namespace farrier {
namespace {

constexpr std::string_view kPieces[] = {"{",
                                        "}",
                                        "(",
                                        ")",
                                        "[",
                                        "]",
                                        "\"",
                                        "\\",
                                        ";",
                                        "%",
                                        "$",
                                        "!",
                                        "?",
                                        "*",
                                        "\n",
                                        "\r\n",
                                        "\n\n",
                                        "[Event \"x\"]\n",
                                        "[FEN \"",
                                        "1-0",
                                        "1/2-1/2",
                                        "e4",
                                        "O-O",
                                        "N@f3",
                                        "@e4",
                                        "e8(Q)",
                                        "[%clk ",
                                        "...",
                                        "999999999999",
                                        "\xEF\xBB\xBF",
                                        "[Variant \"crazyhouse\"]\n",
                                        "a7a8m",
                                        "0-0-0",
                                        "e.p.",
                                        "--",
                                        "\t"};

/// Reads all, and holds what is read to be writable and readable again.
void expect_laws(const std::string& text) {
  for (const Result<PgnGame>& game : read_all(text)) {
    if (!game.ok()) {
      ASSERT_TRUE(game.reason().starts_with("line ")) << game.reason();
      continue;
    }
    const PgnGame once = read_one(to_pgn(*game));
    ASSERT_EQ(uci_moves(once), uci_moves(*game)) << text;
    ASSERT_EQ(once.start_fen, game->start_fen) << text;
    ASSERT_EQ(once.result, game->result) << text;
  }
}

TEST(PgnFuzz, RandomBytesAreReadToTheirEnd) {
  Rng rng(51);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::uint32_t n = rng.below(200); n > 0; --n) text += static_cast<char>(rng.below(256));
    expect_laws(text);
  }
}

TEST(PgnFuzz, RandomWordsOfPgnAreReadToTheirEnd) {
  Rng rng(52);
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (std::uint32_t n = rng.below(40); n > 0; --n)
      text += std::string(kPieces[rng.below(std::size(kPieces))]) + (rng.below(3) == 0 ? "" : " ");
    expect_laws(text);
  }
}

template <VariantRules R>
class PgnFuzzed : public testing::Test {};
TYPED_TEST_SUITE(PgnFuzzed, AllRules, RulesName);

TYPED_TEST(PgnFuzzed, AGameThatIsMutatedNeverHidesTheGameAfterTheNext) {
  const std::string good = to_pgn(random_game<TypeParam>(1000));
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Rng rng(derive_seed(53, 0, seed));
    std::string text = to_pgn(random_game<TypeParam>(seed % 20));
    for (std::uint32_t n = 1 + rng.below(4); n > 0; --n) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(text.size()));
      switch (rng.below(4)) {
        case 0:
          text[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          text.erase(at, 1 + rng.below(20));
          break;
        case 2:
          text.insert(at, kPieces[rng.below(std::size(kPieces))]);
          break;
        default:
          text.insert(at, text.substr(rng.below(static_cast<std::uint32_t>(text.size())), rng.below(60)));
      }
      if (text.empty()) text = " ";
    }
    expect_laws(text);
    const auto games = read_all(text + "\n\n" + good + good);
    ASSERT_GE(games.size(), 2U) << text;
    ASSERT_TRUE(games.back().ok()) << games.back().reason() << text;
    ASSERT_TRUE(*games.back() == random_game<TypeParam>(1000)) << text;
  }
}

}  // namespace
}  // namespace farrier
