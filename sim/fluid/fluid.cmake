# The fluid engine, whose kernel files are compiled once a variant, the hot ones for each SIMD level.
add_library(cq_fluid_headers INTERFACE)
target_include_directories(cq_fluid_headers INTERFACE fluid near rigid)
target_link_libraries(cq_fluid_headers INTERFACE cq_math cq_controllers)
target_sources(${engine_target} PRIVATE fluid/fluid.c fluid/samples.c fluid/type.c)
target_link_libraries(${engine_target} PUBLIC cq_fluid_headers cq_shapes)

function(cq_fluid_variant name dim bits)
  add_library(${name} OBJECT ${ARGN})
  target_compile_definitions(${name} PRIVATE CQ_DIM=${dim} CQ_BITS=${bits})
  target_include_directories(${name} PRIVATE core)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  target_link_libraries(${name} PRIVATE cq_base cq_fluid_headers cq_flags)
  if(CQ_OPENMP)
    target_link_libraries(${name} PRIVATE OpenMP::OpenMP_C)
  endif()
  target_sources(${engine_target} PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()

foreach(dim 2 3)
  foreach(bits 32 64)
    cq_fluid_variant(cq_fluid_${dim}d_f${bits} ${dim} ${bits} fluid/fluid_cpu.c
      fluid/fluid_create.c fluid/fluid_io.c fluid/fluid_sort.c fluid/fluid_bodies.c
      fluid/fluid_contact.c fluid/fluid_field.c)
    foreach(level IN LISTS CQ_SIMD_LEVELS)
      set(variant cq_fluid_${dim}d_f${bits}_${level})
      cq_fluid_variant(${variant} ${dim} ${bits} fluid/fluid_hot.c fluid/fluid_lists.c
        fluid/fluid_sweeps.c fluid/fluid_forces.c)
      target_compile_definitions(${variant} PRIVATE CQ_LANES CQ_LEVEL=${level})
      target_compile_options(${variant} PRIVATE ${CQ_SIMD_${level}} -ffp-contract=fast
        -Wno-psabi)
    endforeach()
  endforeach()
endforeach()
