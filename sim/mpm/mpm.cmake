# The MPM engine, whose kernel files are compiled once a variant.
add_library(cq_mpm_headers INTERFACE)
target_include_directories(cq_mpm_headers INTERFACE mpm)
target_link_libraries(cq_mpm_headers INTERFACE cq_math cq_controllers cq_shapes cq_rigid)
target_sources(${engine_target} PRIVATE mpm/mpm.c mpm/actuators.c mpm/mpm_meet.c mpm/mpm_fields.c mpm/stable_dt.c mpm/type.c)
target_link_libraries(${engine_target} PUBLIC cq_mpm_headers)

include(${PROJECT_SOURCE_DIR}/cmake/engine_variant.cmake)
foreach(dim 2 3)
  # what nodes and rigid bodies do to each other is in double for all
  cq_engine_variant(cq_mpm_meet_${dim}d cq_mpm_headers ${dim} 64 mpm/mpm_meet_act.c mpm/mpm_meet_back.c
    mpm/mpm_between.c
    mpm/mpm_rigid.c mpm/mpm_rigid_start.c mpm/mpm_rigid_carried.c mpm/mpm_rigid_track.c)
  foreach(bits 32 64)
    cq_engine_variant(cq_mpm_${dim}d_f${bits} cq_mpm_headers ${dim} ${bits} mpm/mpm_common.c
      mpm/mpm_walls.c mpm/mpm_means.c mpm/mpm_mirror.c mpm/mpm_slab.c mpm/mpm_cable.c
      mpm/mpm_ref.c mpm/mpm_ref_table.c mpm/mpm_ref_io.c mpm/mpm_ref_observe.c mpm/mpm_ref_cable.c
      mpm/mpm_ref_rigid.c mpm/mpm_ref_between.c mpm/mpm_ref_mirror.c mpm/mpm_ref_adjoint.c mpm/mpm_cpu.c mpm/mpm_cpu_table.c mpm/mpm_cpu_create.c mpm/mpm_cpu_io.c
      mpm/mpm_cpu_sort.c mpm/mpm_cpu_walls.c mpm/mpm_cpu_observe.c mpm/mpm_cpu_cable.c mpm/mpm_cpu_rigid.c mpm/mpm_cpu_fields.c mpm/mpm_cpu_views.c mpm/mpm_cpu_upload.c
      mpm/mpm_cpu_mirror.c
      mpm/mpm_cpu_more.c
      mpm/mpm_cpu_adjoint.c)
    foreach(level IN LISTS CQ_SIMD_LEVELS)
      set(variant cq_mpm_${dim}d_f${bits}_${level})
      cq_engine_variant(${variant} cq_mpm_headers ${dim} ${bits} mpm/mpm_cpu_hot.c
        mpm/mpm_cpu_scatter.c mpm/mpm_cpu_grid.c mpm/mpm_cpu_gather.c mpm/mpm_cpu_gather_adjoint.c)
      cq_hot_variant(${variant} ${level})
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
