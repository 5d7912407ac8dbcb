// Every row of tests/data/perft.tsv: move paths counted by independent programs (tests/data/README.md).
#include "engine/chess/perft.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/chess/fen.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

struct Row {
  std::string variant;
  std::string fen;
  int depth = 0;
  std::uint64_t nodes = 0;
};

std::vector<Row> read_rows() {
  std::ifstream file(FARRIER_TEST_DATA "/perft.tsv");
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);  // column names
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string depth, nodes;
    Row row;
    std::getline(fields, row.variant, '\t');
    std::getline(fields, row.fen, '\t');
    std::getline(fields, depth, '\t');
    std::getline(fields, nodes, '\t');
    row.depth = std::stoi(depth);
    row.nodes = std::stoull(nodes);
    rows.push_back(row);
  }
  return rows;
}

/// Counts the rows of one variant whose position has this remainder, so that CTest runs shares in parallel.
class Perft : public testing::TestWithParam<std::tuple<Variant, int>> {};
constexpr int kShares = 4;

TEST_P(Perft, CountsAgreeWithThePublishedOnes) {
  const auto [variant, share] = GetParam();
  int seen = 0;
  int checked = 0;
  for (const Row& row : read_rows()) {
    if (row.variant != variant_name(variant) || seen++ % kShares != share) continue;
    ++checked;
    with_rules(variant, [&]<VariantRules R>() {
      const Result<Board> board = parse_fen<R>(row.fen);
      ASSERT_TRUE(board.ok()) << row.fen << ": " << board.reason();
      EXPECT_EQ(perft<R>(*board, row.depth), row.nodes) << row.fen << " depth " << row.depth;
    });
  }
  EXPECT_GT(checked, 0);
}

INSTANTIATE_TEST_SUITE_P(AllVariants, Perft,
                         testing::Combine(testing::ValuesIn(kAllVariants), testing::Range(0, kShares)),
                         [](const auto& info) {
                           return std::string(variant_name(std::get<0>(info.param))) + "Share" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(PerftData, HoldsAllRows) { EXPECT_EQ(read_rows().size(), 333U); }

}  // namespace
}  // namespace farrier
