# the physics headers in dual numbers: C++, one program a dimension
foreach(dim 2 3)
  foreach(what dual material)
    set(name sim_${what}_${dim}d)
    add_executable(test_${name} test_sim_${what}.cpp)
    target_compile_definitions(test_${name} PRIVATE CQ_DIM=${dim} CQ_BITS=64)
    target_link_libraries(test_${name} PRIVATE cq_sim cq_flags m)
    add_test(NAME ${name} COMMAND test_${name})
  endforeach()
endforeach()
foreach(what memo segments devices bits motion failure table3 base kernels simd curve walls observe fluid actuators health)
  cq_test(sim_${what} cq_sim)
endforeach()

# minutes under sanitizers
set_tests_properties(sim_table3 PROPERTIES LABELS slow)

# the physics headers must stay within what nvcc takes
if(NOT CQ_CUDA STREQUAL "OFF")
  find_program(NVCC nvcc PATHS /usr/local/cuda/bin)
endif()
if(NVCC)
  foreach(dim 2 3)
    foreach(bits 32 64)
      add_test(NAME cuda_headers_${dim}d_f${bits}
        COMMAND ${NVCC} -std=c++17 -arch=sm_80 -DCQ_DIM=${dim} -DCQ_BITS=${bits}
          -I${PROJECT_SOURCE_DIR}/sim/math -I${PROJECT_SOURCE_DIR}/sim/mpm
          -I${PROJECT_SOURCE_DIR}/controllers -I${PROJECT_SOURCE_DIR}/problems
          -c ${CMAKE_CURRENT_SOURCE_DIR}/headers.cu -o ${CMAKE_CURRENT_BINARY_DIR}/headers_${dim}_${bits}.o)
    endforeach()
  endforeach()
elseif(CQ_CUDA STREQUAL "ON")
  message(FATAL_ERROR "CQ_CUDA=ON, but nvcc was not found")
else()
  message(STATUS "nvcc not found or CQ_CUDA=OFF: the CUDA compilation of the physics headers is left out")
endif()
