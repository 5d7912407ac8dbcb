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

class Perft : public testing::TestWithParam<Variant> {};

TEST_P(Perft, CountsAgreeWithTheReference) {
  int checked = 0;
  for (const Row& row : read_rows()) {
    if (row.variant != variant_name(GetParam())) continue;
    ++checked;
    with_rules(GetParam(), [&]<VariantRules R>() {
      const Result<Board> board = parse_fen<R>(row.fen);
      ASSERT_TRUE(board.ok()) << row.fen << ": " << board.reason();
      EXPECT_EQ(perft<R>(*board, row.depth), row.nodes) << row.fen << " depth " << row.depth;
    });
  }
  EXPECT_GT(checked, 0);
}

INSTANTIATE_TEST_SUITE_P(AllVariants, Perft, testing::ValuesIn(kAllVariants),
                         [](const auto& test) { return std::string(variant_name(test.param)); });

TEST(PerftData, HoldsAllRows) { EXPECT_EQ(read_rows().size(), 333U); }

}  // namespace
}  // namespace farrier
