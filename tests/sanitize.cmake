# What a build with sanitizers does otherwise.
if(NOT CQ_SANITIZE OR CQ_FUZZER)
  return()
endif()

# The kernels of the hot files, with checks in each of their loops, would take most of the time. The
# tests of the engines run them with checks; where the build has a plainer level, which has none
# (simd.cmake), the others run that, and everything around it with checks.
if("sse2" IN_LIST CQ_SIMD_LEVELS AND CQ_SIMD_SANITIZED IN_LIST CQ_SIMD_LEVELS)
  get_property(names DIRECTORY PROPERTY TESTS)
  list(FILTER names EXCLUDE REGEX "^(sim|fluid|granular|engine|shim)_|^problems_gradient$")
  # what they are about is around the kernels
  list(APPEND names sim_memo fluid_bottle granular_tools sim_rigid sim_rigid_motion sim_rigid_physics)
  set_property(TEST ${names} APPEND PROPERTY ENVIRONMENT CQ_SIMD=sse2)
endif()

# programs of slow and long tests alone, which .ci/run leaves out
set(unused test_api_evals test_fluid_floats test_fluid_floats_3d test_fluid_flows_3d test_opt_adversary
  test_opt_resume_odd test_sim_dual_3d test_sim_table3)
foreach(what builtins controllers density examples velocity_2d)
  list(APPEND unused test_results_${what})
endforeach()
foreach(what budgets csm3 elastica grains)
  list(APPEND unused test_validation_${what})
endforeach()
foreach(what actuators bits fluid health memo walls)
  list(APPEND unused test_shim_${what})
endforeach()
foreach(program mutant grains_mutant)
  list(APPEND unused test_shim_${program})
endforeach()
list(APPEND unused test_fluid_mutant cqopt_shim)
set_target_properties(${unused} PROPERTIES EXCLUDE_FROM_ALL TRUE)
