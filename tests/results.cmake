# Results of the built-in problems. test_results_<program>.c runs as results_<name> with arguments;
# tests run beside each other: threads that wait must not spin.
function(cq_results_program program)
  add_executable(test_results_${program} test_results_${program}.c)
  target_link_libraries(test_results_${program} PRIVATE cq_api cq_flags m)
endfunction()
function(cq_results_test name program label)
  add_test(NAME results_${name} COMMAND test_results_${program} ${ARGN})
  set_tests_properties(results_${name} PROPERTIES LABELS ${label} TIMEOUT 900
    ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()

cq_results_program(velocity_2d)
cq_results_test(velocity_2d velocity_2d slow)
cq_results_test(velocity_2d_whole velocity_2d long whole)

cq_results_program(density)
set(seeds_table ${PROJECT_SOURCE_DIR}/results/reference/density_inference_seeds.csv)
cq_results_test(density_seeds density slow seeds ${seeds_table} 2)
cq_results_test(density_seeds_all density long seeds ${seeds_table})
cq_results_test(density_changes density slow changes)
cq_results_test(density_descent density slow descent)

cq_results_program(builtins)
cq_results_test(builtins builtins slow ${CMAKE_CURRENT_SOURCE_DIR}/builtins.csv)
cq_results_test(reach builtins long reach)
cq_results_test(arm builtins long arm)
cq_results_test(leg builtins long leg)

cq_results_program(examples)
cq_results_test(examples examples slow ${PROJECT_SOURCE_DIR}/examples)
cq_cli_test(examples)
set_tests_properties(cli_examples PROPERTIES LABELS long TIMEOUT 3600)

cq_results_program(controllers)
cq_results_test(controllers controllers slow)

# by the program itself
cq_cli_test(bits)
set_tests_properties(cli_bits PROPERTIES LABELS slow)
