#include "trainer/transfer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/rng.h"
#include "engine/nnue/input_map.h"
#include "engine/variants/dispatch.h"
#include "trainer/input_transfer.h"

namespace farrier {
namespace {

constexpr std::uint64_t kNoiseStream = 0x5B117;
/// About a step of the quantised weights; training parts twins from there within a few hundred steps.
constexpr double kNoise = 0.005;

/// Why `source` can't become `target`; empty if it can.
std::string shape_fault(const Architecture& source, const Architecture& target) {
  if (source.hidden > target.hidden)
    return fmt::format("has {} hidden neurons, which a net of {} can't hold; set net.hidden to {} or more",
                       source.hidden, target.hidden, source.hidden);
  if (source.activation != target.activation)
    return fmt::format("was trained with the activation {}, not {}; set net.activation to \"{}\"",
                       activation_name(source.activation), activation_name(target.activation),
                       activation_name(source.activation));
  if (source.layers != target.layers)
    return fmt::format("has other further layers than the new net; set net.layers to [{}]",
                       fmt::join(source.layers, ", "));
  const auto finer = [](const std::vector<int>& coarse, const std::vector<int>& fine) {
    return std::includes(fine.begin(), fine.end(), coarse.begin(), coarse.end());
  };
  if (!finer(source.board_buckets, target.board_buckets))
    return fmt::format(
        "has other output buckets than the new net; let net.board_buckets have its [{}] among them",
        fmt::join(source.board_buckets, ", "));
  if (!finer(source.hand_buckets, target.hand_buckets))
    return fmt::format(
        "has other output buckets than the new net; let net.hand_buckets have its [{}] among them",
        fmt::join(source.hand_buckets, ", "));
  return {};
}

/// Neurons that act as one: a neuron, or with pairwise products the two that are multiplied.
class Units {
 public:
  explicit Units(const Architecture& a) : count_(a.activations() / 2), columns_(a.hidden / count_) {}
  int count() const { return count_; }
  int columns() const { return columns_; }
  int column(int unit, int part) const { return unit + part * count_; }
  /// Of the layer after them, which both views enter.
  int output(int unit, int view) const { return view * count_ + unit; }

 private:
  int count_, columns_;
};

/// By unit of the new net: the source's unit that it begins as. The first ones are the source's own; the others
/// split those that weigh most on what follows, in turn.
std::vector<int> origins_of_units(const FloatNet& source, const Units& from, const Units& to) {
  const FloatLayer& next = source.layers.front();
  std::vector<double> weight(static_cast<std::size_t>(from.count()));
  for (std::size_t w = 0; w < next.weights.size(); ++w)
    weight[w % static_cast<std::size_t>(next.inputs) % weight.size()] += std::abs(next.weights[w]);
  std::vector<int> order(weight.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return weight[static_cast<std::size_t>(a)] > weight[static_cast<std::size_t>(b)];
  });
  std::vector<int> origins;
  for (int unit = 0; unit < to.count(); ++unit)
    origins.push_back(
        unit < from.count() ? unit : order[static_cast<std::size_t>(unit - from.count()) % order.size()]);
  return origins;
}

/// The columns of one row, spread over the new net's neurons; parts of a split one get noise that adds up to zero.
class ColumnSpread {
 public:
  ColumnSpread(const Units& from, const Units& to, const std::vector<int>& origins, std::uint64_t seed)
      : from_(from), to_(to), origins_(origins), copies_(static_cast<std::size_t>(from.count())), rng_(seed) {
    for (int unit = 0; unit < to.count(); ++unit)
      copies_[static_cast<std::size_t>(origins[static_cast<std::size_t>(unit)])].push_back(unit);
  }

  int copies(int unit) const {
    return static_cast<int>(
        copies_[static_cast<std::size_t>(origins_[static_cast<std::size_t>(unit)])].size());
  }

  /// Adds to `target`. `source` may be null, for a row that the source lacks: then there is but the noise.
  void spread(const float* source, float* target, bool with_noise) {
    for (int unit = 0; unit < from_.count(); ++unit) {
      const std::vector<int>& copies = copies_[static_cast<std::size_t>(unit)];
      for (int part = 0; part < from_.columns(); ++part) {
        const float value = source == nullptr ? 0.0F : source[from_.column(unit, part)];
        for (int copy : copies) target[to_.column(copy, part)] += value;
        if (!with_noise || copies.size() == 1) continue;
        noise_.resize(copies.size());
        for (double& n : noise_) n = (2 * rng_.uniform() - 1) * kNoise;
        const double mean =
            std::accumulate(noise_.begin(), noise_.end(), 0.0) / static_cast<double>(noise_.size());
        for (std::size_t i = 0; i < copies.size(); ++i)
          target[to_.column(copies[i], part)] += static_cast<float>(noise_[i] - mean);
      }
    }
  }

 private:
  const Units& from_;
  const Units& to_;
  const std::vector<int>& origins_;
  std::vector<std::vector<int>> copies_;  // by unit of the source
  std::vector<double> noise_;
  Rng rng_;
};

/// By output bucket of `fine`: the bucket of `coarse` that it is a part of.
std::vector<int> origins_of_buckets(const Architecture& coarse, const Architecture& fine) {
  const auto lowest = [](const std::vector<int>& bounds) {
    std::vector<int> all{0};
    all.insert(all.end(), bounds.begin(), bounds.end());
    return all;
  };
  std::vector<int> origins(static_cast<std::size_t>(fine.output_buckets()));
  for (int board : lowest(fine.board_buckets))
    for (int hand : lowest(fine.hand_buckets))
      origins[static_cast<std::size_t>(fine.output_bucket(board, hand))] = coarse.output_bucket(board, hand);
  return origins;
}

void transfer_layers(const FloatNet& source, double scale, const Units& from, const Units& to,
                     const std::vector<int>& origins, const ColumnSpread& columns, FloatNet& net) {
  const std::vector<int> buckets = origins_of_buckets(source.architecture, net.architecture);
  for (std::size_t k = 0; k < source.layers.size(); ++k) {
    const FloatLayer& old = source.layers[k];
    FloatLayer layer{net.architecture.layer_inputs(static_cast<int>(k)), old.outputs, {}, {}};
    const double factor = k + 1 == source.layers.size() ? scale : 1.0;
    for (int bucket : buckets)
      for (int o = 0; o < layer.outputs; ++o) {
        const auto output = static_cast<std::size_t>(bucket * layer.outputs + o);
        const float* weights = &old.weights[output * static_cast<std::size_t>(old.inputs)];
        layer.bias.push_back(static_cast<float>(old.bias[output] * factor));
        if (k > 0) {
          for (int i = 0; i < old.inputs; ++i)
            layer.weights.push_back(static_cast<float>(weights[i] * factor));
          continue;
        }
        for (int view = 0; view < 2; ++view)
          for (int unit = 0; unit < to.count(); ++unit)
            layer.weights.push_back(
                static_cast<float>(weights[from.output(origins[static_cast<std::size_t>(unit)], view)] *
                                   factor / columns.copies(unit)));
      }
    net.layers.push_back(std::move(layer));
  }
}

}  // namespace

Result<FloatNet> transfer(const NetOfVariant& source, Variant variant, const Architecture& architecture,
                          int scale_cp, std::uint64_t seed) {
  const FloatNet& old = source.net;
  const bool has_hands = with_rules(variant, []<VariantRules R>() { return R::kHasDrops; });
  if (!old.architecture.hand_buckets.empty() && !has_hands)
    return Failure{
        fmt::format("has output buckets by men in hand, of which {} has none; begin with a net without them",
                    variant_name(variant))};
  if (const std::string fault = shape_fault(old.architecture, architecture); !fault.empty())
    return Failure{fault};
  const Result<InputTransfer> inputs =
      transfer_inputs(source.variant, old.architecture.features, variant, architecture.features);
  if (!inputs) return Failure{inputs.reason()};

  const InputMap map(variant, architecture.features);
  FloatNet net;
  net.architecture = architecture;
  net.rows = map.rows();
  net.rows_per_bucket = map.rows_per_bucket();
  const auto width = static_cast<std::size_t>(architecture.hidden);
  const auto old_width = static_cast<std::size_t>(old.architecture.hidden);
  net.feature_weights.resize(static_cast<std::size_t>(net.rows) * width);
  if (map.buckets() > 1) net.shared_weights.resize(static_cast<std::size_t>(net.rows_per_bucket) * width);
  net.feature_bias.resize(width);

  const Units from(old.architecture), to(architecture);
  const std::vector<int> origins = origins_of_units(old, from, to);
  ColumnSpread columns(from, to, origins, derive_seed(seed, kNoiseStream, 0));
  columns.spread(old.feature_bias.data(), net.feature_bias.data(), true);

  // What the source's king buckets share goes to what the new ones share, or to the only one; so does all of a source
  // that has but one.
  const auto row_of = [old_width](const std::vector<float>& weights, int row) {
    return row < 0 ? nullptr : &weights[static_cast<std::size_t>(row) * old_width];
  };
  const bool old_shares = !old.shared_weights.empty();
  std::vector<float>& common = net.shared_weights.empty() ? net.feature_weights : net.shared_weights;
  for (int row = 0; row < net.rows_per_bucket; ++row) {
    const int origin = inputs->row_in_bucket[static_cast<std::size_t>(row)];
    columns.spread(row_of(old_shares ? old.shared_weights : old.feature_weights, origin),
                   &common[static_cast<std::size_t>(row) * width], true);
  }
  if (old_shares)
    for (int row = 0; row < net.rows; ++row) {
      const int bucket = inputs->bucket[static_cast<std::size_t>(row / net.rows_per_bucket)];
      const int origin = inputs->row_in_bucket[static_cast<std::size_t>(row % net.rows_per_bucket)];
      columns.spread(row_of(old.feature_weights, origin < 0 ? -1 : bucket * old.rows_per_bucket + origin),
                     &net.feature_weights[static_cast<std::size_t>(row) * width], false);
    }
  transfer_layers(old, static_cast<double>(source.scale_cp) / scale_cp, from, to, origins, columns, net);
  return net;
}

}  // namespace farrier
