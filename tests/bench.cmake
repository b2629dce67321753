cq_test(bench_naive cq_bench cq_sim)

# the naive loops with numbers that count: C++, one program a dimension
foreach(dim 2 3)
  set(name bench_operations_${dim}d)
  add_executable(test_${name} test_bench_operations.cpp)
  target_compile_definitions(test_${name} PRIVATE CQ_DIM=${dim} CQ_BITS=64)
  # {0} is how C says that all of a struct is zero
  target_compile_options(test_${name} PRIVATE -Wno-missing-field-initializers)
  target_link_libraries(test_${name} PRIVATE cq_bench cq_sim cq_flags)
  add_test(NAME ${name} COMMAND test_${name})
endforeach()

# the program's command
add_test(NAME bench_command
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli_bench.sh $<TARGET_FILE:cqopt>)
set_tests_properties(bench_command PROPERTIES TIMEOUT 600 LABELS slow
  ENVIRONMENT OMP_WAIT_POLICY=passive)
