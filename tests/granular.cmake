# cq_granular_test(name): a program whose engine is the granular one
function(cq_granular_test name)
  cq_test(${name} cq_sim)
  target_sources(test_${name} PRIVATE granular_engine.c)
endfunction()

cq_granular_test(granular_exact)
cq_granular_test(granular_tools)
target_compile_definitions(test_granular_tools PRIVATE CQ_DIM=3 CQ_BITS=64)
