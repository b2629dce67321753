foreach(what bodies cyclic exact tools)
  cq_test(granular_${what} cq_sim)
endforeach()
target_compile_definitions(test_granular_tools PRIVATE CQ_DIM=3 CQ_BITS=64)
