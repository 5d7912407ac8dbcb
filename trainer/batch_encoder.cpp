#include "trainer/batch_encoder.h"

#include "engine/nnue/input_map.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

constexpr std::size_t kUnmarkedBits = 15;

std::size_t place(Piece man, Square s) {
  return (man.bits() & kUnmarkedBits) * kSquareCount + static_cast<std::size_t>(index(s));
}
std::size_t place(Color color, Square s) {
  return static_cast<std::size_t>(index(color) * kSquareCount + index(s));
}

}  // namespace

BatchEncoder::BatchEncoder(Variant variant, const Architecture& architecture) : architecture_(architecture) {
  const InputMap map(variant, architecture.features);
  with_rules(variant, [&]<VariantRules R>() {
    marks_promoted_ = FeatureSet<R>::kHasPromoted && architecture.features.promoted;
    for (Color view : {Color::White, Color::Black}) {
      const auto first = static_cast<int>(rows_.size());
      for (int o = 0; o < map.orientations(); ++o) add_view_rows<R>(view, map.table(o));
      for (int s = 0; s < kSquareCount; ++s)
        orientation_[index(view)][s] =
            static_cast<std::uint16_t>(first + map.orientation(relative(view, static_cast<Square>(s))));
    }
  });
}

template <VariantRules R>
void BatchEncoder::add_view_rows(Color view, std::span<const FeatureIndex> rows) {
  using Features = FeatureSet<R>;
  ViewRows& out = rows_.emplace_back();
  for (Color color : {Color::White, Color::Black}) {
    for (int s = 0; s < kSquareCount; ++s) {
      const Square square = static_cast<Square>(s);
      for (int t = 0; t < kPieceTypeCount; ++t) {
        const Piece man(color, static_cast<PieceType>(t));
        // A type that this variant does not have.
        if (Features::plane(man.type()) * kSquareCount >= kBoardInputs / 2) continue;
        out.board[place(man, square)] = rows[Features::board_input(view, man, square)];
      }
      if constexpr (Features::kHasPromoted)
        out.promoted[place(color, square)] =
            rows[Features::promoted_input(view, Piece(color, PieceType::Queen), square)];
    }
    for (int t = 0; t < kHandTypeCount; ++t)
      if (R::kHandCapacity[t] > 0)
        out.hand[index(color)][t] = rows[Features::hand_input(view, color, static_cast<PieceType>(t), 0)];
  }
}

void BatchEncoder::prepare(std::span<const PackedPosition> positions, SparseBatch& batch) const {
  batch.offsets.resize(2 * positions.size() + 1);
  std::int32_t offset = 0;
  std::int32_t* next = batch.offsets.data();
  *next++ = offset;
  for (const PackedPosition& p : positions) {
    const int rows = p.on_board() + p.in_hand + (marks_promoted_ ? p.promoted : 0);
    *next++ = offset += rows;
    *next++ = offset += rows;
  }
  batch.indices.resize(static_cast<std::size_t>(offset));
  batch.score_cp_stm.resize(positions.size());
  batch.result_stm.resize(positions.size());
  batch.buckets.resize(architecture_.output_buckets() > 1 ? positions.size() : 0);
  batch.phase.clear();
}

void BatchEncoder::fill(std::span<const PackedPosition> positions, std::size_t first, std::size_t last,
                        SparseBatch& batch) const {
  for (std::size_t i = first; i < last; ++i) {
    const PackedPosition& p = positions[i];
    const ViewRows& own = rows_of(p.side_to_move, p);
    const ViewRows& other = rows_of(~p.side_to_move, p);
    FeatureIndex* own_row = &batch.indices[static_cast<std::size_t>(batch.offsets[2 * i])];
    FeatureIndex* other_row = &batch.indices[static_cast<std::size_t>(batch.offsets[2 * i + 1])];
    const auto add = [&](FeatureIndex a, FeatureIndex b) {
      *own_row++ = a;
      *other_row++ = b;
    };
    const Piece* man = p.men.data();
    for (Square s : p.occupied) {
      const std::size_t at = place(*man++, s);
      add(own.board[at], other.board[at]);
    }
    if (marks_promoted_ && p.promoted > 0) {
      man = p.men.data();
      for (Square s : p.occupied) {
        const std::size_t at = place(man->color(), s);
        if ((man++)->promoted()) add(own.promoted[at], other.promoted[at]);
      }
    }
    if (p.in_hand > 0)
      for (int c = 0; c < kColorCount; ++c)
        for (int t = 0; t < kHandTypeCount; ++t)
          for (int n = 0; n < p.hands[c][t]; ++n)
            add(static_cast<FeatureIndex>(own.hand[c][t] + n),
                static_cast<FeatureIndex>(other.hand[c][t] + n));
    if (!batch.buckets.empty())
      batch.buckets[i] = static_cast<std::uint8_t>(architecture_.output_bucket(p.on_board(), p.in_hand));
    batch.score_cp_stm[i] = static_cast<float>(p.score_cp_stm);
    batch.result_stm[i] = static_cast<float>(p.result_stm + 1) / 2;
  }
}

}  // namespace farrier
