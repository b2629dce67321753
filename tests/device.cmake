# The tests of the engine once more with models on a device: what holds on the CPU holds there. With
# the shim for machines without one; what takes minutes there is for the long tests.
function(cq_device_test what)
  add_executable(test_gpu_${what} test_sim_${what}.c)
  target_compile_definitions(test_gpu_${what} PRIVATE CQ_TEST_ON_CUDA)
  target_link_libraries(test_gpu_${what} PRIVATE cq_sim cq_flags m)
  add_test(NAME gpu_${what} COMMAND test_gpu_${what})
  cq_gpu_test(gpu_${what})

  add_executable(test_shim_${what} test_sim_${what}.c)
  target_compile_definitions(test_shim_${what} PRIVATE CQ_TEST_ON_CUDA)
  target_link_libraries(test_shim_${what} PRIVATE cq_cuda_shim cq_sim cq_flags m)
  add_test(NAME shim_${what} COMMAND test_shim_${what})
  set_tests_properties(shim_${what} PROPERTIES TIMEOUT 1200 LABELS "${ARGN}"
    ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()

foreach(what failure motion walls observe health)
  cq_device_test(${what})
endforeach()
foreach(what memo bits fluid actuators table3)
  cq_device_test(${what} long)
endforeach()
