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
cq_cli_test(health)
cq_cli_test(signal)
cq_cli_test(stall)
set_tests_properties(cli_stall PROPERTIES LABELS slow)
cq_cli_test(start)
cq_cli_test(compare)
cq_cli_test(study)
cq_cli_test(trajectory)
cq_cli_test(paraview)
set_tests_properties(cli_paraview PROPERTIES SKIP_RETURN_CODE 77)
cq_cli_test(builtins)
set_tests_properties(cli_builtins PROPERTIES LABELS slow)
# kills the program from within; the sanitizers' libraries must be loaded first, and are not then
add_library(kill_shim MODULE kill_shim.c)
target_link_libraries(kill_shim PRIVATE cq_flags)
set(kill_shim $<TARGET_FILE:kill_shim>)
if(CQ_SANITIZE)
  set(kill_shim "")
endif()
foreach(name resume multistart)
  add_test(NAME cli_${name}
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli_${name}.sh $<TARGET_FILE:cqopt> "${kill_shim}")
  set_tests_properties(cli_${name} PROPERTIES TIMEOUT 600 ENVIRONMENT OMP_WAIT_POLICY=passive)
endforeach()
set_tests_properties(cli_multistart PROPERTIES LABELS slow)

# parts of the program that stand alone
cq_test(cli_statistics PkgConfig::GSL)
cq_test(cli_variants cq_base)
foreach(part statistics variants)
  target_sources(test_cli_${part} PRIVATE ${PROJECT_SOURCE_DIR}/cli/${part}.c)
  target_include_directories(test_cli_${part} PRIVATE ${PROJECT_SOURCE_DIR}/cli)
endforeach()
