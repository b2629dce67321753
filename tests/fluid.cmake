# the fluid engine
foreach(what momentum rest floats flows contact gradients pins)
  cq_test(fluid_${what} cq_sim)
endforeach()
# draughts: the same code as that of contact, for as long as it takes to come to rest
set_tests_properties(fluid_floats PROPERTIES LABELS slow)

# at the plainest SIMD level, whose vectors are shorter than what lists are filled up by
include(${PROJECT_SOURCE_DIR}/cmake/simd.cmake)
list(GET CQ_SIMD_LEVELS 0 plainest)
add_test(NAME fluid_momentum_plainest COMMAND test_fluid_momentum)
set_tests_properties(fluid_momentum_plainest PROPERTIES
  ENVIRONMENT "OMP_WAIT_POLICY=passive;CQ_SIMD=${plainest}")

# draughts and plates in 3D, and fine particles, take a minute
foreach(what floats flows)
  add_executable(test_fluid_${what}_3d test_fluid_${what}.c)
  target_compile_definitions(test_fluid_${what}_3d PRIVATE LONG_TESTS=1)
  target_link_libraries(test_fluid_${what}_3d PRIVATE cq_sim cq_flags m)
  add_test(NAME fluid_${what}_3d COMMAND test_fluid_${what}_3d)
  set_tests_properties(fluid_${what}_3d PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive LABELS long)
endforeach()

# the built-in problem, and all of the launches
cq_test(fluid_bottle cq_problems cq_sim cq_shapes)
target_include_directories(test_fluid_bottle PRIVATE ${PROJECT_SOURCE_DIR}/problems
  ${PROJECT_SOURCE_DIR}/problems/terms)
add_test(NAME fluid_bottle_all COMMAND test_fluid_bottle 60)
set_tests_properties(fluid_bottle_all PROPERTIES LABELS long)

# its point headers in dual numbers
foreach(dim 2 3)
  add_executable(test_fluid_dual_${dim}d test_fluid_dual.cpp)
  target_compile_definitions(test_fluid_dual_${dim}d PRIVATE CQ_DIM=${dim} CQ_BITS=64)
  target_include_directories(test_fluid_dual_${dim}d PRIVATE ${PROJECT_SOURCE_DIR}/sim/fluid/point)
  target_link_libraries(test_fluid_dual_${dim}d PRIVATE cq_rigid cq_flags m)
  add_test(NAME fluid_dual_${dim}d COMMAND test_fluid_dual_${dim}d)
endforeach()
