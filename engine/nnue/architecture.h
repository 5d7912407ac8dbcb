// The shapes that a net can have: which inputs it sees, how wide it is, and what follows its first layer.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/nnue/arithmetic.h"
#include "engine/variants/variant.h"

namespace farrier {

/// How a view numbers its inputs, beyond the plain numbering of features.h.
struct FeatureScheme {
  /// The board is seen mirrored while the view's own royal man stands on files a to d, so that he's always on e to h.
  bool mirror = false;
  /// Promoted men have inputs of their own, where the variant tells them apart.
  bool promoted = true;
  /// Each bucket has weights of its own; by the square of the view's own royal man as the view sees it (a1, b1, ...,
  /// h8), 64 numbers from 0 without a gap. Empty: one bucket. With `mirror`, both halves of a rank are alike.
  std::vector<int> king_buckets;

  int bucket_count() const;
  friend bool operator==(const FeatureScheme&, const FeatureScheme&) = default;
};

struct Architecture {
  FeatureScheme features;
  int hidden = 64;  // one of kHiddenWidths
  Activation activation = Activation::Screlu;
  /// Widths of further dense layers between the first one and the output: none, one or two.
  std::vector<int> layers;
  /// Output buckets: each has its own weights after the first layer. A position's bucket is the number of these
  /// ascending bounds that its men on the board reach, and the same for the men in both hands; with both, each pair of
  /// the two is a bucket. Both empty: one bucket.
  std::vector<int> board_buckets;
  std::vector<int> hand_buckets;

  friend bool operator==(const Architecture&, const Architecture&) = default;

  int output_buckets() const {
    return static_cast<int>((board_buckets.size() + 1) * (hand_buckets.size() + 1));
  }
  int output_bucket(int men_on_board, int men_in_hand) const;
  /// What the first layer hands on: 2H activations, or H after pairwise products.
  int activations() const { return activation == Activation::Pairwise ? hidden : 2 * hidden; }
  /// Number of dense layers after the first one, the output included.
  int dense_layers() const { return static_cast<int>(layers.size()) + 1; }
  /// Of dense layer k from 0; the last one's output is the logit.
  int layer_inputs(int k) const { return k == 0 ? activations() : layers[static_cast<std::size_t>(k) - 1]; }
  int layer_outputs(int k) const { return k + 1 == dense_layers() ? 1 : layers[static_cast<std::size_t>(k)]; }
};

/// Widths that a further dense layer can have.
inline constexpr std::array kLayerWidths{8, 16, 32, 64};
/// Bound on output buckets.
constexpr int kMaxOutputBuckets = 64;

std::string_view activation_name(Activation a);
/// The names, for messages: "crelu, screlu or pairwise".
std::string activation_names();

/// Why no net of that variant has this shape, naming the setting; empty if it can.
struct ArchitectureFault {
  std::string setting;  // "hidden", "king_buckets", ...
  std::string reason;
};
ArchitectureFault find_fault(const Architecture& architecture, Variant variant);

/// The settings as text by name ("hidden" -> "64"), as net files and checkpoints keep them; those at their default but
/// `hidden` are left out.
std::map<std::string, std::string> architecture_entries(const Architecture& architecture);
/// Takes these out of `entries`; fails with the reason if one is wrong.
Result<Architecture> take_architecture(std::map<std::string, std::string>& entries, Variant variant);
/// On one line, for people: "64 hidden, mirrored, screlu, 4 output buckets".
std::string describe(const Architecture& architecture);

}  // namespace farrier
