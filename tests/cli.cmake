# the program itself, by scripts of bash and awk
function(cq_cli_test name)
  add_test(NAME cli_${name}
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli_${name}.sh $<TARGET_FILE:cqopt>)
  # tests run beside each other: threads that wait must not spin
  set_tests_properties(cli_${name} PROPERTIES TIMEOUT 600 ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()

cq_cli_test(errors)
cq_cli_test(texts)
cq_cli_test(solve)
cq_cli_test(signal)
cq_cli_test(builtins)
set_tests_properties(cli_builtins PROPERTIES LABELS slow)
