// Words of the user inside our sentences.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace farrier {

/// The text in single quotes, cut where it is long: a hostile field must not fill a log.
inline std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 60;
  return "'" + std::string(text.substr(0, kShown)) + (text.size() > kShown ? "...'" : "'");
}

}  // namespace farrier
