# the fluid engine
foreach(what momentum rest floats flows contact)
  cq_test(fluid_${what} cq_sim)
endforeach()

# draughts in 3D take a minute
add_executable(test_fluid_floats_3d test_fluid_floats.c)
target_compile_definitions(test_fluid_floats_3d PRIVATE LONG_TESTS)
target_link_libraries(test_fluid_floats_3d PRIVATE cq_sim cq_flags m)
add_test(NAME fluid_floats_3d COMMAND test_fluid_floats_3d)
set_tests_properties(fluid_floats_3d PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive LABELS long)
