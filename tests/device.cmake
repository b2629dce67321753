# The tests of the engine once more with models on a device: what holds on the CPU holds there.
function(cq_engine_test name what)
  add_executable(test_${name} test_sim_${what}.c)
  target_compile_definitions(test_${name} PRIVATE CQ_TEST_ON_CUDA)
  target_link_libraries(test_${name} PRIVATE ${ARGN} cq_sim cq_flags m)
  add_test(NAME ${name} COMMAND test_${name})
endfunction()

foreach(what failure motion walls observe health memo bits fluid actuators table3)
  cq_engine_test(gpu_${what} ${what})
  cq_gpu_test(gpu_${what})
endforeach()

# with the shim, which is slow: what takes a minute there is for the long tests
foreach(what failure motion walls observe health memo bits fluid actuators)
  cq_engine_test(shim_${what} ${what} cq_cuda_shim)
  set_tests_properties(shim_${what} PROPERTIES TIMEOUT 1200 ENVIRONMENT OMP_WAIT_POLICY=passive)
endforeach()
set_tests_properties(shim_memo shim_bits shim_fluid shim_actuators PROPERTIES LABELS long)
