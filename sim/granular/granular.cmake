# The granular engine, whose kernel files are compiled once a variant, and the hot ones once a level.
add_library(cq_granular_headers INTERFACE)
target_include_directories(cq_granular_headers INTERFACE granular)
target_link_libraries(cq_granular_headers INTERFACE cq_math cq_controllers cq_shapes cq_rigid)
target_sources(${engine_target} PRIVATE granular/granular.c granular/tools.c granular/type.c)
target_link_libraries(${engine_target} PUBLIC cq_granular_headers)

include(${PROJECT_SOURCE_DIR}/cmake/engine_variant.cmake)
foreach(dim 2 3)
  foreach(bits 32 64)
    set(variant cq_granular_${dim}d_f${bits})
    cq_engine_variant(${variant} cq_granular_headers ${dim} ${bits} granular/grains.c
      granular/grains_create.c granular/grains_list.c granular/grains_paper.c
      granular/grains_bodies.c granular/grains_push.c granular/grains_state.c granular/grains_touch.c)
    foreach(level IN LISTS CQ_SIMD_LEVELS)
      cq_engine_variant(${variant}_${level} cq_granular_headers ${dim} ${bits}
        granular/grains_hot.c granular/grains_contacts.c granular/grains_solve.c)
      cq_hot_variant(${variant}_${level} ${level})
    endforeach()
  endforeach()
endforeach()
if(CQ_HAS_CUDA)
  list(APPEND cuda_files granular/grains_cuda_pick.c)
  foreach(dim 2 3)
    foreach(bits 32 64)
      set(object ${CMAKE_CURRENT_BINARY_DIR}/grains_cuda_${dim}d_f${bits}.o)
      cq_nvcc(${object} ${CMAKE_CURRENT_SOURCE_DIR}/granular/grains_cuda.cu ${cuda_includes}
        -I${CMAKE_CURRENT_SOURCE_DIR}/granular -I${CMAKE_CURRENT_SOURCE_DIR}/rigid
        -I${CMAKE_CURRENT_BINARY_DIR} -DCQ_DIM=${dim} -DCQ_BITS=${bits})
      list(APPEND cuda_files ${object})
    endforeach()
  endforeach()
else()
  list(APPEND cuda_files granular/grains_cuda_none.c)
endif()
