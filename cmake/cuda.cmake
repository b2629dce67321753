# CUDA without CMake's language of that name, which would want a device compiler everywhere: sets
# NVCC where there is one, and offers cq_nvcc().
if(NOT CQ_CUDA STREQUAL "OFF")
  find_program(NVCC nvcc PATHS /usr/local/cuda/bin)
endif()
if(NVCC)
  file(REAL_PATH ${NVCC} nvcc_file)
  cmake_path(GET nvcc_file PARENT_PATH nvcc_folder)
  find_library(CUDART cudart_static PATHS ${nvcc_folder}/../lib64 ${nvcc_folder}/../lib
    ${nvcc_folder}/../targets/x86_64-linux/lib NO_DEFAULT_PATH)
endif()
# Does it work, with this host compiler, and is it of CUDA 12 or later?
if(NVCC AND CUDART)
  set(probe ${PROJECT_BINARY_DIR}/cuda_probe.cu)
  file(WRITE ${probe} "#include <cuda_runtime.h>
cudaError_t make(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}\n")
  execute_process(COMMAND ${NVCC} -ccbin=${CMAKE_CXX_COMPILER} -std=c++17 -arch=sm_90 -c ${probe}
    -o ${probe}.o RESULT_VARIABLE probe_failed OUTPUT_VARIABLE probe_words ERROR_VARIABLE probe_words)
endif()
if(NVCC AND CUDART AND NOT probe_failed)
  set(CQ_HAS_CUDA ON)
  message(STATUS "CUDA: ${NVCC}")
elseif(CQ_CUDA STREQUAL "ON")
  message(FATAL_ERROR "CQ_CUDA=ON, but nvcc of CUDA 12 or later, or its libcudart_static.a, was not found: "
    "${probe_words}")
elseif(probe_failed)
  set(CQ_HAS_CUDA OFF)
  message(STATUS "${NVCC} cannot compile for this cqopt (CUDA 12 or later is wanted), so the CUDA backend is "
    "left out: ${probe_words}")
else()
  set(CQ_HAS_CUDA OFF)
  message(STATUS "nvcc not found or CQ_CUDA=OFF: the CUDA backend is left out")
endif()

# Data centre cards since 2020; newer ones translate the last one's PTX.
set(CQ_CUDA_CARDS -gencode=arch=compute_80,code=sm_80
  -gencode=arch=compute_90,code=[sm_90,compute_90])
set(CQ_CUDA_FLAGS -std=c++17 -O3 -Xptxas=-v -Xcompiler=-fPIC,-fvisibility=hidden,-Wall,-Wextra)
if(CQ_HAS_CUDA)
  # a third of the size, in every program
  execute_process(COMMAND ${NVCC} --help OUTPUT_VARIABLE nvcc_help)
  if(nvcc_help MATCHES "-compress-mode")
    list(APPEND CQ_CUDA_FLAGS -compress-mode=size)
  endif()
endif()
if(CQ_WERROR)
  list(APPEND CQ_CUDA_FLAGS -Werror=all-warnings -Xcompiler=-Werror)
endif()

# cq_nvcc(object source flags...): a command that compiles the source to the object, whose registers
# and spills stand in <object>.ptxas
function(cq_nvcc object source)
  add_custom_command(OUTPUT ${object} ${object}.ptxas
    COMMAND bash ${PROJECT_SOURCE_DIR}/cmake/nvcc.sh ${object}.ptxas ${CMAKE_CXX_COMPILER_LAUNCHER} ${NVCC}
      -ccbin=${CMAKE_CXX_COMPILER} ${CQ_CUDA_CARDS} ${CQ_CUDA_FLAGS} ${ARGN}
      -MD -MF ${object}.d -c ${source} -o ${object}
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/cmake/nvcc.sh
    DEPFILE ${object}.d
    COMMENT "nvcc ${object}" VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
endfunction()

# cq_portable(program): also finds its libraries in lib/ beside it, and they theirs, as in a folder of
# bench/gpu.sh pack
function(cq_portable program)
  set_property(TARGET ${program} APPEND PROPERTY BUILD_RPATH "$ORIGIN/lib")
  target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
endfunction()
