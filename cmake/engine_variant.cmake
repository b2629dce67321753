# Kernel files of an engine: the same source compiled once a dimension and a precision, and what is
# hot once more for each SIMD level (simd.cmake). All become part of ${engine_target}.

# cq_unchecked_variant(name dim bits): under sanitizers both dimensions and both precisions have checks
# in three of their four pairs; those of the fourth would take the longest to compile
function(cq_unchecked_variant name dim bits)
  if(CQ_SANITIZE AND dim EQUAL 3 AND bits EQUAL 32)
    target_link_libraries(${name} PRIVATE cq_unchecked)
  endif()
endfunction()

# cq_engine_variant(name headers dim bits files...)
function(cq_engine_variant name headers dim bits)
  add_library(${name} OBJECT ${ARGN})
  target_compile_definitions(${name} PRIVATE CQ_DIM=${dim} CQ_BITS=${bits})
  target_include_directories(${name} PRIVATE core)
  # small loops over axes and nodes: unrolled they run three times as fast
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  target_link_libraries(${name} PRIVATE cq_base ${headers} cq_flags)
  cq_unchecked_variant(${name} ${dim} ${bits})
  if(CQ_OPENMP)
    target_link_libraries(${name} PRIVATE OpenMP::OpenMP_C)
  endif()
  target_sources(${engine_target} PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()

# cq_hot_variant(name level): such a variant holds the hot files of a level
function(cq_hot_variant name level)
  target_compile_definitions(${name} PRIVATE CQ_LANES CQ_LEVEL=${level})
  # a multiply and an add may become one instruction here; vectors pass between inlined
  # functions alone
  target_compile_options(${name} PRIVATE ${CQ_SIMD_${level}} -ffp-contract=fast -Wno-psabi)
  # below -O3 gcc 12 gives one place on the stack to two things in use: gradients in 3D, float, AVX2 were
  # wrong. With -O3, which inlines them, this would cost a third; sim_kernels looks at all levels
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE $<$<NOT:$<CONFIG:Release>>:-fstack-reuse=none>)
  endif()
  # one level of the one source has the checks, which take minutes to compile in unrolled code
  if(CQ_SANITIZE)
    if(level STREQUAL CQ_SIMD_SANITIZED)
      target_compile_options(${name} PRIVATE -O1)
    else()
      target_link_libraries(${name} PRIVATE cq_unchecked)
    endif()
  endif()
endfunction()
