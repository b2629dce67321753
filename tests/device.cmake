# The tests of the engine once more with models on a device: what holds on the CPU holds there. With
# the shim, which is slow, what takes a minute is for the long tests.
foreach(what failure motion walls observe health memo bits fluid actuators table3)
  cq_device_objects(device_${what} test_sim_${what}.c CQ_TEST_ON_CUDA)
  if(NOT CQ_SANITIZE)
    cq_gpu_program(gpu_${what} device_${what})
  endif()
endforeach()

foreach(what failure motion walls observe health memo bits fluid actuators)
  cq_shim_program(shim_${what} device_${what})
  add_test(NAME shim_${what} COMMAND test_shim_${what})
  set_tests_properties(shim_${what} PROPERTIES TIMEOUT 1200 ENVIRONMENT OMP_WAIT_POLICY=passive)
endforeach()
# under sanitizers the kernels run in shim_kernels, and these are slow
set_tests_properties(shim_health shim_walls PROPERTIES LABELS slow)
set_tests_properties(shim_memo shim_bits shim_fluid shim_actuators PROPERTIES LABELS long)
