# Run at every build: writes COMMIT_HEADER with the commit that SOURCE_DIR stands at, if it has changed.
cmake_minimum_required(VERSION 3.25)
find_package(Git QUIET)
set(commit "")
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${COMMIT_HEADER} CONTENT "#define FARRIER_COMMIT \"@commit@\"\n" @ONLY)
