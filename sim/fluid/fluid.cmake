# The fluid engine, whose kernel files are compiled once a variant, the hot ones for each SIMD level.
add_library(cq_fluid_headers INTERFACE)
target_include_directories(cq_fluid_headers INTERFACE fluid near rigid)
target_link_libraries(cq_fluid_headers INTERFACE cq_math cq_controllers)
target_sources(${engine_target} PRIVATE fluid/fluid.c fluid/samples.c fluid/type.c)
target_link_libraries(${engine_target} PUBLIC cq_fluid_headers cq_shapes)

include(${PROJECT_SOURCE_DIR}/cmake/engine_variant.cmake)
foreach(dim 2 3)
  foreach(bits 32 64)
    set(variant cq_fluid_${dim}d_f${bits})
    cq_engine_variant(${variant} cq_fluid_headers ${dim} ${bits} fluid/fluid_cpu.c
      fluid/fluid_create.c fluid/fluid_io.c fluid/fluid_sort.c fluid/fluid_bodies.c
      fluid/fluid_contact.c fluid/fluid_field.c fluid/fluid_tangent.c fluid/fluid_complete.c fluid/fluid_turns.c fluid/fluid_pins.c fluid/fluid_parts.c
      fluid/fluid_team.c fluid/fluid_cuda.c fluid/fluid_linear.c fluid/fluid_linear_room.c
      fluid/fluid_linear_start.c fluid/fluid_forward.c fluid/fluid_forward_bodies.c
      fluid/fluid_backward.c fluid/fluid_backward_bodies.c fluid/fluid_backward_ends.c)
    foreach(level IN LISTS CQ_SIMD_LEVELS)
      cq_engine_variant(${variant}_${level} cq_fluid_headers ${dim} ${bits} fluid/fluid_hot.c
        fluid/fluid_lists.c fluid/fluid_sweeps.c fluid/fluid_forces.c fluid/fluid_linear_table.c
        fluid/fluid_linear_forward.c fluid/fluid_linear_backward.c)
      cq_hot_variant(${variant}_${level} ${level})
    endforeach()
  endforeach()
endforeach()
if(CQ_HAS_CUDA)
  list(APPEND cuda_files fluid/device_pick.c)
  foreach(dim 2 3)
    foreach(bits 32 64)
      set(object ${CMAKE_CURRENT_BINARY_DIR}/fluid_cuda_${dim}d_f${bits}.o)
      cq_nvcc(${object} ${CMAKE_CURRENT_SOURCE_DIR}/fluid/fluid_cuda.cu ${cuda_includes}
        -I${CMAKE_CURRENT_SOURCE_DIR}/fluid -I${CMAKE_CURRENT_SOURCE_DIR}/near
        -I${CMAKE_CURRENT_SOURCE_DIR}/rigid -DCQ_DIM=${dim} -DCQ_BITS=${bits})
      list(APPEND cuda_files ${object})
    endforeach()
  endforeach()
else()
  list(APPEND cuda_files fluid/device_none.c)
endif()
