# The library as others see it: its names, and what is installed. The install test builds programs of
# others, which have no sanitizers.
set(symbols_mode "")
if(CQ_HAS_CUDA)
  set(symbols_mode --cuda)
endif()
add_test(NAME library_symbols COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/symbols.sh ${CMAKE_NM}
  $<TARGET_FILE:cqopt_shared> $<TARGET_FILE:cqopt_static> ${symbols_mode})
if(NOT CQ_SANITIZE AND NOT CQ_FUZZER)
  add_test(NAME library_install COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/install.sh ${CMAKE_COMMAND}
    ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  set_tests_properties(library_install PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
endif()
