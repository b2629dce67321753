# Writes OUT, a header with CQ_BUILD_ID: git describe of SOURCE, "unknown" outside git. The file is
# touched only when the id changes.
cmake_minimum_required(VERSION 3.25)
set(id "")
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --tags --abbrev=12
    OUTPUT_VARIABLE id ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT id MATCHES "^[A-Za-z0-9._-]+$")
  set(id unknown)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define CQ_BUILD_ID \"@id@\"\n" @ONLY)
