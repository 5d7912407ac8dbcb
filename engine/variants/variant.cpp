#include "engine/variants/variant.h"

#include "engine/variants/dispatch.h"

namespace farrier {

std::string_view variant_name(Variant v) {
  return with_rules(v, []<VariantRules R>() { return R::kUciName; });
}

std::optional<Variant> variant_from_name(std::string_view name) {
  for (Variant v : kAllVariants)
    if (variant_name(v) == name) return v;
  return std::nullopt;
}

std::string_view variant_names() { return "chess, crazyhouse, knightmate, pocketknight"; }

std::string_view start_fen(Variant v) {
  return with_rules(v, []<VariantRules R>() { return R::kStartFen; });
}

}  // namespace farrier
