# Writes OUT, a header with CQ_BUILD_ID: git describe of SOURCE, with a hash of the changes where there
# are some, "unknown" outside git. The file is touched only when the id changes. A run is resumed by
# the build that began it, so two states of the sources should not share an id.
cmake_minimum_required(VERSION 3.25)
set(id "")
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --tags --abbrev=12
    OUTPUT_VARIABLE id ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(id MATCHES "-dirty$")
  execute_process(COMMAND ${git} -C ${SOURCE} diff HEAD OUTPUT_VARIABLE changes ERROR_QUIET)
  string(SHA1 changes "${changes}")
  string(SUBSTRING "${changes}" 0 8 changes)
  set(id "${id}-${changes}")
endif()
if(NOT id MATCHES "^[A-Za-z0-9._-]+$")
  set(id unknown)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define CQ_BUILD_ID \"@id@\"\n" @ONLY)
