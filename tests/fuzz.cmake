# Arbitrary bytes for every reader of files, from files that the program writes itself. Everywhere the
# files as they are; under the sanitizers five seconds of changed ones each, and a minute each in the
# long tests. Where clang is installed the long tests also build the targets with libFuzzer (the preset
# "fuzz"), which sees where a change leads.
set(fuzz_targets problem csv evals history run_json motion mesh)
if(TARGET cq_render)
  list(APPEND fuzz_targets trajectory)
endif()
find_package(HDF5 REQUIRED COMPONENTS C)
set(seeds ${CMAKE_CURRENT_BINARY_DIR}/fuzz)
add_test(NAME fuzz_seeds
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/seeds.sh $<TARGET_FILE:cqopt> ${seeds})
set_tests_properties(fuzz_seeds PROPERTIES FIXTURES_SETUP fuzz_seeds)

# cq_fuzz_test(target name seconds): a run of so many seconds after the files as they are
function(cq_fuzz_test target name seconds)
  if(CQ_FUZZER)
    set(arguments -max_total_time=${seconds} -seed=1 -timeout=20 -rss_limit_mb=0
      -malloc_limit_mb=1024 -verbosity=0 -print_final_stats=1)
  else()
    set(arguments ${seconds} 1)
  endif()
  add_test(NAME ${name} COMMAND fuzz_${target} ${arguments} ${seeds}/${target})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED fuzz_seeds
    TIMEOUT 300 ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()

foreach(target ${fuzz_targets})
  add_executable(fuzz_${target} fuzz/fuzz_${target}.c fuzz/common.c)
  # problems/ has a csv.h, too, and goes first
  target_include_directories(fuzz_${target} BEFORE PRIVATE ${PROJECT_SOURCE_DIR}/problems
    ${PROJECT_SOURCE_DIR}/problems/terms)
  target_link_libraries(fuzz_${target} PRIVATE cq_cli cq_api cq_sim cq_shapes hdf5::hdf5 cq_flags)
  if(CQ_FUZZER)
    target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(fuzz_${target} PRIVATE fuzz/driver.c)
  endif()
  if(CQ_SANITIZE)
    cq_fuzz_test(${target} fuzz_${target} 5)
  else()
    cq_fuzz_test(${target} fuzz_${target} 0)
  endif()
  cq_fuzz_test(${target} fuzz_long_${target} 60)
  set_tests_properties(fuzz_long_${target} PROPERTIES LABELS long)
endforeach()
if(NOT CQ_FUZZER)
  add_test(NAME fuzz_libfuzzer COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/libfuzzer.sh
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/libfuzzer ${fuzz_targets})
  set_tests_properties(fuzz_libfuzzer PROPERTIES LABELS long TIMEOUT 7200 SKIP_RETURN_CODE 77)
endif()
