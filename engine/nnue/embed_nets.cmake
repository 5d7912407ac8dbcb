# Writes embedded_nets.cpp: each line "VARIANT FILE" of nets/defaults.txt becomes bytes in the binary.
set(list ${CMAKE_SOURCE_DIR}/nets/defaults.txt)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/embedded_nets.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})

file(STRINGS ${list} lines REGEX "^[a-z]")
set(blobs "")
set(rows "")
set(files "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([a-z]+) +([^ ]+)$" matched "${line}")
  if(NOT matched)
    message(FATAL_ERROR "nets/defaults.txt: '${line}' is not 'VARIANT FILE'")
  endif()
  set(variant ${CMAKE_MATCH_1})
  set(path ${CMAKE_SOURCE_DIR}/nets/${CMAKE_MATCH_2})
  list(APPEND files ${path})
  string(APPEND blobs "EMBED(${variant}, \"${path}\")\n")
  string(APPEND rows "    {\"${variant}\", \"${CMAKE_MATCH_2}\", net_${variant}_begin, net_${variant}_end},\n")
endforeach()

file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT [[
#include "engine/nnue/embedded_nets.h"

#include <vector>

#define EMBED(VARIANT, PATH)                                                                             \
  extern "C" const char net_##VARIANT##_begin[];                                                         \
  extern "C" const char net_##VARIANT##_end[];                                                           \
  __asm__(".section .rodata\n.balign 64\n.global net_" #VARIANT "_begin\nnet_" #VARIANT "_begin:\n"      \
          ".incbin \"" PATH "\"\n.global net_" #VARIANT "_end\nnet_" #VARIANT "_end:\n.byte 0\n.previous");
@blobs@
namespace farrier {

std::span<const EmbeddedNet> embedded_nets() {
  static const std::vector<EmbeddedNet> kNets{
@rows@  };
  return kNets;
}

}  // namespace farrier
]])
set_source_files_properties(${generated} PROPERTIES OBJECT_DEPENDS "${files}")
target_sources(farrier_engine PRIVATE ${generated})
