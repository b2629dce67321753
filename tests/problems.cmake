foreach(what sampling normal gear mesh files)
  cq_test(shapes_${what} cq_shapes)
endforeach()
cq_test(view_eye cq_view cq_shapes)
if(PNG_FOUND)
  target_compile_definitions(test_shapes_files PRIVATE CQ_PNG)
endif()
foreach(what schema boundaries set bodies sets scenarios ahead include preflight terms markers energy design fit
    blocks values csv gradient simulate trajectory refined actuators health inactive film movers device bonds tear
    engines meshes joints grains rigid residuals curve experiments export periodic start)
  cq_test(problems_${what} cq_problems cq_sim cq_shapes)
  # the insides of the layer are tested, too
  target_include_directories(test_problems_${what} PRIVATE ${PROJECT_SOURCE_DIR}/problems
    ${PROJECT_SOURCE_DIR}/problems/terms)
  # a folder each, so that they can run side by side
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/problems_${what}.d)
  file(MAKE_DIRECTORY ${folder})
  set_tests_properties(problems_${what} PROPERTIES WORKING_DIRECTORY ${folder})
endforeach()
target_compile_definitions(test_problems_export PRIVATE TEST_CC="${CMAKE_C_COMPILER}")
target_link_libraries(test_problems_export PRIVATE ${CMAKE_DL_LIBS})
add_test(NAME problems_grains_long COMMAND test_problems_grains 4000 1000)
set_tests_properties(problems_grains_long PROPERTIES LABELS long TIMEOUT 1800
  ENVIRONMENT OMP_WAIT_POLICY=passive)
# two engines, by another list
target_sources(test_problems_engines PRIVATE ${PROJECT_SOURCE_DIR}/problems/schema_rows.c
  ${PROJECT_SOURCE_DIR}/problems/engine_part.c)
target_include_directories(test_problems_engines BEFORE PRIVATE two_engines)
# an engine that lacks a quantity
target_link_options(test_problems_energy PRIVATE -Wl,--wrap=cq_engine_quantity)
foreach(what trajectory film movers meshes)
  target_link_libraries(test_problems_${what} PRIVATE cq_record)
endforeach()

# every term in dual numbers
add_executable(test_problems_terms_dual test_problems_terms_dual.cpp)
target_include_directories(test_problems_terms_dual PRIVATE ${PROJECT_SOURCE_DIR}/problems
  ${PROJECT_SOURCE_DIR}/problems/terms)
target_link_libraries(test_problems_terms_dual PRIVATE cq_base cq_math cq_flags)
add_test(NAME problems_terms_dual COMMAND test_problems_terms_dual)
