# the physics headers in dual numbers: C++, one program a dimension
foreach(dim 2 3)
  foreach(what dual material meet_dual)
    set(name sim_${what}_${dim}d)
    add_executable(test_${name} test_sim_${what}.cpp)
    target_compile_definitions(test_${name} PRIVATE CQ_DIM=${dim} CQ_BITS=64)
    target_link_libraries(test_${name} PRIVATE cq_sim cq_flags m)
    add_test(NAME ${name} COMMAND test_${name})
  endforeach()
endforeach()
foreach(what memo segments devices bits motion failure table3 base kernels simd curve walls observe fluid actuators horizon health threads files meet rigid rigid_motion rigid_physics)
  cq_test(sim_${what} cq_sim)
endforeach()

# minutes under sanitizers
set_tests_properties(sim_table3 sim_dual_3d PROPERTIES LABELS slow)

# levels of a build that has one
cq_test(sim_one_level cq_base)
target_sources(test_sim_one_level PRIVATE ${PROJECT_SOURCE_DIR}/sim/base/simd.c)
target_include_directories(test_sim_one_level BEFORE PRIVATE one_level)
