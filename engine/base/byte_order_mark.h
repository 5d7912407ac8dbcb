// Text files of Windows editors begin with three bytes that are no text.
#pragma once

#include <string>
#include <string_view>

namespace farrier {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The first line of a file without the mark, if it has one.
inline std::string without_byte_order_mark(std::string line) {
  if (line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  return line;
}

}  // namespace farrier
