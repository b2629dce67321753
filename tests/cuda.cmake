# The engine on CUDA devices. nvcc takes the headers that no kernel includes, too: of the controllers
# and terms, whose types are the same in every variant, one will do.
if(CQ_HAS_CUDA)
  add_test(NAME cuda_headers
    COMMAND ${NVCC} -ccbin=${CMAKE_CXX_COMPILER} -std=c++17 -arch=sm_80 -DCQ_DIM=2 -DCQ_BITS=32
      -I${PROJECT_SOURCE_DIR}/sim/math -I${PROJECT_SOURCE_DIR}/sim/mpm
      -I${PROJECT_SOURCE_DIR}/controllers -I${PROJECT_SOURCE_DIR}/problems
      -c ${CMAKE_CURRENT_SOURCE_DIR}/headers.cu -o ${CMAKE_CURRENT_BINARY_DIR}/headers.o)
endif()
