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
