#include "engine/nnue/architecture.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "engine/nnue/features.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

constexpr std::array<std::string_view, kActivations.size()> kActivationNames{"crelu", "screlu", "pairwise"};

std::string join(const std::vector<int>& values) {
  std::string text;
  for (int value : values) text += (text.empty() ? "" : " ") + std::to_string(value);
  return text;
}

template <class Values>
std::string listed(const Values& values) {
  std::string text;
  for (int value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

std::optional<std::vector<int>> parse_ints(const std::string& text) {
  std::vector<int> values;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    values.push_back(value);
  }
  return values;
}

template <class Values>
bool holds(const Values& values, int value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::string king_buckets_fault(const FeatureScheme& scheme, Variant variant) {
  const std::vector<int>& map = scheme.king_buckets;
  if (map.empty()) return {};
  if (map.size() != kSquareCount)
    return "has " + std::to_string(map.size()) + " numbers; give one for each of the 64 squares, from a1 on";
  if (*std::min_element(map.begin(), map.end()) < 0) return "has a negative number; buckets count from 0";
  const int buckets = scheme.bucket_count();
  for (int bucket = 0; bucket < buckets; ++bucket)
    if (!holds(map, bucket))
      return "leaves out bucket " + std::to_string(bucket) + "; number them from 0 without a gap";
  if (scheme.mirror)
    for (std::size_t s = 0; s < map.size(); ++s)
      if (map[s] != map[s ^ 7])
        return "must be alike on both halves of the board, since 'mirror' makes them one";
  if (static_cast<std::int64_t>(buckets) * feature_count(variant) >= kNoRow)
    return "has " + std::to_string(buckets) + " buckets, too many rows for 16 bits";
  return {};
}

std::string bounds_fault(const std::vector<int>& bounds) {
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (bounds[i] < 1 || bounds[i] > kMaxMen || (i > 0 && bounds[i] <= bounds[i - 1]))
      return "is " + listed(bounds) + "; give ascending numbers of men from 1 to " + std::to_string(kMaxMen);
  return {};
}

}  // namespace

int FeatureScheme::bucket_count() const {
  return king_buckets.empty() ? 1 : *std::max_element(king_buckets.begin(), king_buckets.end()) + 1;
}

int Architecture::output_bucket(int men_on_board, int men_in_hand) const {
  const auto reached = [](const std::vector<int>& bounds, int men) {
    return static_cast<int>(std::upper_bound(bounds.begin(), bounds.end(), men) - bounds.begin());
  };
  return reached(board_buckets, men_on_board) * (static_cast<int>(hand_buckets.size()) + 1) +
         reached(hand_buckets, men_in_hand);
}

std::string_view activation_name(Activation a) { return kActivationNames[static_cast<std::size_t>(a)]; }

std::string activation_names() {
  std::string text;
  for (std::size_t i = 0; i < kActivationNames.size(); ++i)
    text += (i == 0                             ? ""
             : i + 1 == kActivationNames.size() ? " or "
                                                : ", ") +
            std::string(kActivationNames[i]);
  return text;
}

ArchitectureFault find_fault(const Architecture& a, Variant variant) {
  if (!holds(kHiddenWidths, a.hidden))
    return {"hidden", "is " + std::to_string(a.hidden) +
                          ", but the engine plays nets with a hidden width of " + listed(kHiddenWidths)};
  if (std::string fault = king_buckets_fault(a.features, variant); !fault.empty())
    return {"king_buckets", std::move(fault)};
  if (a.layers.size() > 2 ||
      !std::all_of(a.layers.begin(), a.layers.end(), [](int width) { return holds(kLayerWidths, width); }))
    return {"layers", "is " + listed(a.layers) + "; give at most two widths of " + listed(kLayerWidths)};
  if (std::string fault = bounds_fault(a.board_buckets); !fault.empty())
    return {"board_buckets", std::move(fault)};
  if (std::string fault = bounds_fault(a.hand_buckets); !fault.empty())
    return {"hand_buckets", std::move(fault)};
  const bool has_hands = with_rules(variant, []<VariantRules R>() { return R::kHasDrops; });
  if (!a.hand_buckets.empty() && !has_hands)
    return {"hand_buckets", "has no sense in " + std::string(variant_name(variant)) +
                                ", where no men are in hand; remove it or use board_buckets"};
  if (a.output_buckets() > kMaxOutputBuckets)
    return {a.hand_buckets.empty() ? "board_buckets" : "hand_buckets",
            "makes " + std::to_string(a.output_buckets()) + " output buckets; at most " +
                std::to_string(kMaxOutputBuckets) + " are possible"};
  return {};
}

std::map<std::string, std::string> architecture_entries(const Architecture& a) {
  std::map<std::string, std::string> entries{{"hidden", std::to_string(a.hidden)}};
  if (a.features.mirror) entries["mirror"] = "1";
  if (!a.features.promoted) entries["promoted"] = "0";
  if (!a.features.king_buckets.empty()) entries["king_buckets"] = join(a.features.king_buckets);
  if (a.activation != Activation::Screlu) entries["activation"] = activation_name(a.activation);
  if (!a.layers.empty()) entries["layers"] = join(a.layers);
  if (!a.board_buckets.empty()) entries["board_buckets"] = join(a.board_buckets);
  if (!a.hand_buckets.empty()) entries["hand_buckets"] = join(a.hand_buckets);
  return entries;
}

Result<Architecture> take_architecture(std::map<std::string, std::string>& entries, Variant variant) {
  Architecture a;
  std::string wrong;  // name and text of the first entry that can't be read
  const auto take = [&](const char* name, auto read) {
    const auto found = entries.find(name);
    if (found == entries.end()) return false;
    if (!read(found->second) && wrong.empty())
      wrong = "'" + std::string(name) + "' can't be read: '" + found->second + "'";
    entries.erase(found);
    return true;
  };
  const auto into_list = [](std::vector<int>& out) {
    return [&out](const std::string& text) {
      const auto values = parse_ints(text);
      if (values) out = *values;
      return values.has_value();
    };
  };
  const auto into_flag = [](bool& out) {
    return [&out](const std::string& text) {
      out = text == "1";
      return text == "0" || text == "1";
    };
  };
  const bool has_hidden = take("hidden", [&a](const std::string& text) {
    const auto values = parse_ints(text);
    if (!values || values->size() != 1) return false;
    a.hidden = values->front();
    return true;
  });
  take("mirror", into_flag(a.features.mirror));
  take("promoted", into_flag(a.features.promoted));
  take("king_buckets", into_list(a.features.king_buckets));
  take("activation", [&a](const std::string& text) {
    for (Activation activation : kActivations)
      if (text == activation_name(activation)) {
        a.activation = activation;
        return true;
      }
    return false;
  });
  take("layers", into_list(a.layers));
  take("board_buckets", into_list(a.board_buckets));
  take("hand_buckets", into_list(a.hand_buckets));
  if (!wrong.empty()) return Failure{wrong};
  if (!has_hidden) return Failure{"'hidden' is missing"};
  if (const ArchitectureFault fault = find_fault(a, variant); !fault.reason.empty())
    return Failure{"'" + fault.setting + "' " + fault.reason};
  return a;
}

std::string describe(const Architecture& a) {
  std::string text = std::to_string(a.hidden) + " hidden";
  if (a.features.mirror) text += ", mirrored";
  if (a.features.bucket_count() > 1)
    text += ", " + std::to_string(a.features.bucket_count()) + " king buckets";
  if (!a.features.promoted) text += ", promoted men not told apart";
  text += ", " + std::string(activation_name(a.activation));
  for (int width : a.layers) text += ", layer of " + std::to_string(width);
  if (a.output_buckets() > 1) text += ", " + std::to_string(a.output_buckets()) + " output buckets";
  return text;
}

}  // namespace farrier
