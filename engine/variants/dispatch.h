// The one switch over variants: from the run-time value to the compile-time rules, at the edge of the
// program.
#pragma once

#include <utility>

#include "engine/variants/crazyhouse.h"
#include "engine/variants/knightmate.h"
#include "engine/variants/pocket_knight.h"
#include "engine/variants/standard_rules.h"

namespace farrier {

/// Calls `f.template operator()<Rules>()`: `with_rules(v, [&]<VariantRules R>() { return perft<R>(b, 5); })`.
template <class F>
decltype(auto) with_rules(Variant v, F&& f) {
  switch (v) {
    case Variant::Crazyhouse:
      return std::forward<F>(f).template operator()<Crazyhouse>();
    case Variant::Knightmate:
      return std::forward<F>(f).template operator()<Knightmate>();
    case Variant::PocketKnight:
      return std::forward<F>(f).template operator()<PocketKnight>();
    case Variant::Chess:
      break;
  }
  return std::forward<F>(f).template operator()<StandardRules>();
}

/// Explicit instantiation of a template at the end of its .cpp, once per variant, so that headers stay light.
#define FARRIER_FOR_EACH_RULES(INSTANTIATE) \
  INSTANTIATE(StandardRules)                \
  INSTANTIATE(Crazyhouse)                   \
  INSTANTIATE(Knightmate)                   \
  INSTANTIATE(PocketKnight)

}  // namespace farrier
