// The bytes of the default nets; the definition is written by CMake (engine/nnue/embed_nets.cmake).
#pragma once

#include <span>
#include <string_view>

namespace farrier {

struct EmbeddedNet {
  std::string_view variant;
  std::string_view file;
  const char* begin;
  const char* end;
};

std::span<const EmbeddedNet> embedded_nets();

}  // namespace farrier
