# A CUDA runtime on the host: g++ compiles .cu files against it (target cuda_shim), tests run their kernels.
add_library(cuda_shim STATIC shim/block.cpp shim/fiber.cpp shim/runtime.cpp)
target_include_directories(cuda_shim BEFORE PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/shim)
target_link_libraries(cuda_shim PUBLIC Threads::Threads PRIVATE cq_flags)
# nvcc's own pragmas (unroll); overruns of __shared__ arrays are seen where ASan marks their section
target_compile_options(cuda_shim INTERFACE -Wno-unknown-pragmas -Wno-psabi)
if(CQ_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(cuda_shim INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize-sections=cq_shim_shared>)
endif()

add_executable(test_shim test_shim.cpp test_shim_other.cpp)
target_link_libraries(test_shim PRIVATE cuda_shim cq_flags)
add_test(NAME shim_runtime COMMAND test_shim)
