// Positions into batches: the rows of both views and the output bucket, as a net's architecture has them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/nnue/architecture.h"
#include "selfplay/loading/packed_position.h"
#include "trainer/sparse_batch.h"

namespace farrier {

class BatchEncoder {
 public:
  BatchEncoder(Variant variant, const Architecture& architecture);

  /// Makes `batch` one of these positions: prepare(), then fill() for each of them.
  void encode(std::span<const PackedPosition> positions, SparseBatch& batch) const {
    prepare(positions, batch);
    fill(positions, 0, positions.size(), batch);
  }
  /// Gives the batch its sizes and offsets.
  void prepare(std::span<const PackedPosition> positions, SparseBatch& batch) const;
  /// Enters the positions from `first` to before `last`; several threads may fill the same batch.
  void fill(std::span<const PackedPosition> positions, std::size_t first, std::size_t last,
            SparseBatch& batch) const;

 private:
  /// The rows of all inputs of one view in one orientation (InputMap), found by man and square at once.
  struct ViewRows {
    std::array<FeatureIndex, 16 * kSquareCount> board{};              // by the bits of a Piece, unmarked
    std::array<FeatureIndex, kColorCount * kSquareCount> promoted{};  // by color
    std::array<std::array<FeatureIndex, kHandTypeCount>, kColorCount> hand{};  // of the first man in hand
  };
  template <VariantRules R>
  void add_view_rows(Color view, std::span<const FeatureIndex> rows);
  const ViewRows& rows_of(Color view, const PackedPosition& position) const {
    return rows_[orientation_[index(view)][index(position.royals[index(view)])]];
  }

  Architecture architecture_;
  bool marks_promoted_ = false;  // whether promoted men have a row of their own
  std::vector<ViewRows> rows_;
  std::array<std::array<std::uint16_t, kSquareCount>, kColorCount>
      orientation_{};  // in rows_, by the royal man
};

}  // namespace farrier
