# The MPM engine, whose kernel files are compiled once a variant.
add_library(cq_mpm_headers INTERFACE)
target_include_directories(cq_mpm_headers INTERFACE mpm)
target_link_libraries(cq_mpm_headers INTERFACE cq_math cq_controllers cq_shapes)
target_sources(${engine_target} PRIVATE mpm/mpm.c mpm/actuators.c mpm/stable_dt.c mpm/type.c)
target_link_libraries(${engine_target} PUBLIC cq_mpm_headers)

# cq_variant(name dim bits files...): the files compiled for one variant, as part of ${engine_target}
function(cq_variant name dim bits)
  add_library(${name} OBJECT ${ARGN})
  target_compile_definitions(${name} PRIVATE CQ_DIM=${dim} CQ_BITS=${bits})
  target_include_directories(${name} PRIVATE core)
  # small loops over axes and nodes: unrolled they run three times as fast
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  target_link_libraries(${name} PRIVATE cq_base cq_mpm_headers cq_flags)
  if(CQ_OPENMP)
    target_link_libraries(${name} PRIVATE OpenMP::OpenMP_C)
  endif()
  target_sources(${engine_target} PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()

foreach(dim 2 3)
  foreach(bits 32 64)
    cq_variant(cq_mpm_${dim}d_f${bits} ${dim} ${bits} mpm/mpm_common.c mpm/mpm_walls.c mpm/mpm_slab.c mpm/mpm_cable.c
      mpm/mpm_ref.c mpm/mpm_ref_table.c mpm/mpm_ref_io.c mpm/mpm_ref_observe.c mpm/mpm_ref_cable.c
      mpm/mpm_ref_adjoint.c mpm/mpm_cpu.c mpm/mpm_cpu_table.c mpm/mpm_cpu_create.c mpm/mpm_cpu_io.c
      mpm/mpm_cpu_sort.c mpm/mpm_cpu_walls.c mpm/mpm_cpu_observe.c mpm/mpm_cpu_cable.c
      mpm/mpm_cpu_adjoint.c)
    foreach(level IN LISTS CQ_SIMD_LEVELS)
      set(variant cq_mpm_${dim}d_f${bits}_${level})
      cq_variant(${variant} ${dim} ${bits} mpm/mpm_cpu_hot.c mpm/mpm_cpu_scatter.c
        mpm/mpm_cpu_grid.c mpm/mpm_cpu_gather.c mpm/mpm_cpu_gather_adjoint.c)
      target_compile_definitions(${variant} PRIVATE CQ_LANES CQ_LEVEL=${level})
      # a multiply and an add may become one instruction here; vectors pass between inlined
      # functions alone
      target_compile_options(${variant} PRIVATE ${CQ_SIMD_${level}} -ffp-contract=fast
        -Wno-psabi)
      # checks in unrolled code take minutes to compile: one level of the one source has them
      if(CQ_SANITIZE)
        target_compile_options(${variant} PRIVATE -O1)
        if(NOT level STREQUAL CQ_SIMD_SANITIZED)
          target_compile_options(${variant} PRIVATE -fno-sanitize=all)
        endif()
      endif()
    endforeach()
  endforeach()
endforeach()
if(CQ_HAS_CUDA)
  list(APPEND cuda_files mpm/cuda_pick.c)
  foreach(dim 2 3)
    foreach(bits 32 64)
      set(object ${CMAKE_CURRENT_BINARY_DIR}/mpm_cuda_${dim}d_f${bits}.o)
      cq_nvcc(${object} ${CMAKE_CURRENT_SOURCE_DIR}/mpm/mpm_cuda.cu ${cuda_includes}
        -I${CMAKE_CURRENT_SOURCE_DIR}/mpm -DCQ_DIM=${dim} -DCQ_BITS=${bits})
      list(APPEND cuda_files ${object})
    endforeach()
  endforeach()
else()
  list(APPEND cuda_files mpm/cuda_none.c)
endif()
