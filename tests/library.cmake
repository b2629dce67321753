# The library as others see it: its names, and what is installed. Sanitizers add names of their own,
# and the programs of others have none.
set(symbols_mode "")
if(CQ_HAS_CUDA)
  set(symbols_mode --cuda)
endif()
if(NOT CQ_SANITIZE AND NOT CQ_FUZZER)
  add_test(NAME library_symbols COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/symbols.sh ${CMAKE_NM}
    ${CMAKE_OBJDUMP} $<TARGET_FILE:cqopt_shared> $<TARGET_FILE:cqopt_static> ${symbols_mode})
  add_test(NAME library_abi COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/abi.sh ${CMAKE_C_COMPILER}
    ${PROJECT_SOURCE_DIR}/include)
  add_test(NAME library_install COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/install.sh ${CMAKE_COMMAND}
    ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  set_tests_properties(library_install PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
endif()

# the API through the shared library, which shows nothing else
function(cq_api_test what)
  cq_test(api_${what} cqopt_shared)
  target_include_directories(test_api_${what} PRIVATE ${PROJECT_SOURCE_DIR}/include)
endfunction()
foreach(what vjp rigid misuse side_by_side lists silent images)
  cq_api_test(${what})
endforeach()
target_link_libraries(test_api_side_by_side PRIVATE Threads::Threads)
target_link_libraries(test_api_silent PRIVATE Threads::Threads)
if(NOT CQ_SANITIZE AND NOT CQ_FUZZER)
  add_test(NAME api_nothing COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/api_nothing.sh ${CMAKE_C_COMPILER}
    ${CMAKE_NM} ${PROJECT_SOURCE_DIR}/include $<TARGET_FILE:cqopt_shared> $<TARGET_FILE:test_api_misuse>)
endif()
# it writes folders
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/api_lists.d)
set_tests_properties(api_lists PROPERTIES WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/api_lists.d)
cq_test(api_memory cq_api)

add_executable(test_api_evals test_api_evals.c)
target_link_libraries(test_api_evals PRIVATE cqopt_shared cq_flags m)
target_include_directories(test_api_evals PRIVATE ${PROJECT_SOURCE_DIR}/include)
add_test(NAME api_evals COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/api_evals.sh $<TARGET_FILE:cqopt>
  $<TARGET_FILE:test_api_evals>)
# built-in problems, twice
set_tests_properties(api_evals PROPERTIES LABELS slow ENVIRONMENT OMP_WAIT_POLICY=passive)

# in dual numbers, which look inside
add_executable(test_api_dual test_api_dual.cpp)
target_compile_definitions(test_api_dual PRIVATE CQ_DIM=2 CQ_BITS=64)
target_include_directories(test_api_dual PRIVATE ${PROJECT_SOURCE_DIR}/api)
target_link_libraries(test_api_dual PRIVATE cq_api cq_sim cq_shapes cq_problems_inside cq_flags m)
add_test(NAME api_dual COMMAND test_api_dual)
set_tests_properties(api_dual PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
