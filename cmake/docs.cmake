# The page of the public headers: cmake --build build --target docs, into build/docs/html
find_program(CQ_DOXYGEN doxygen DOC "Doxygen, for the target docs and its test")
set(doxyfile ${PROJECT_BINARY_DIR}/docs/Doxyfile)
configure_file(${PROJECT_SOURCE_DIR}/docs/api/Doxyfile.in ${doxyfile} @ONLY)
if(CQ_DOXYGEN)
  add_custom_target(docs COMMAND ${CQ_DOXYGEN} ${doxyfile} VERBATIM
    COMMENT "docs/html/index.html: the page of the headers")
else()
  add_custom_target(docs VERBATIM
    COMMAND ${CMAKE_COMMAND} -E echo "doxygen is not installed; install it and configure again"
    COMMAND ${CMAKE_COMMAND} -E false)
endif()
