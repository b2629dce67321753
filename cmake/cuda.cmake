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
if(NVCC AND CUDART)
  set(CQ_HAS_CUDA ON)
  message(STATUS "CUDA: ${NVCC}")
elseif(CQ_CUDA STREQUAL "ON")
  message(FATAL_ERROR "CQ_CUDA=ON, but nvcc or its libcudart_static.a was not found")
else()
  set(CQ_HAS_CUDA OFF)
  message(STATUS "nvcc not found or CQ_CUDA=OFF: the CUDA backend is left out")
endif()

# Data centre cards since 2020; newer ones translate the last one's PTX.
set(CQ_CUDA_CARDS -gencode=arch=compute_80,code=sm_80
  -gencode=arch=compute_90,code=[sm_90,compute_90])
set(CQ_CUDA_FLAGS -std=c++17 -O3 -Xptxas=-v -Xcompiler=-fPIC,-Wall,-Wextra)
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
