# Writes OUT (version.cpp) with VERSION and the commit of SOURCE_DIR; leaves an equal file as it is, so that nothing is
# rebuilt. Run at every build: cmake -DOUT= -DVERSION= -DSOURCE_DIR= -P write_version.cmake
set(commit unknown)
find_program(git git)
if(git AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${git} -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
#include "engine/base/version.h"

namespace farrier {

std::string_view program_version() { return "@VERSION@"; }
std::string_view program_commit() { return "@commit@"; }

}  // namespace farrier
]])
