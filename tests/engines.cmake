# The program with an engine more: its lists once more, with tests/engines/engine_list.h found first.
# Objects stand before libraries, so that these tables are the ones that count.
file(STRINGS engines/engine_list.h test_engines REGEX "^CQ_ENGINE")
list(TRANSFORM test_engines REPLACE "^CQ_ENGINE\\((.*)\\)$" "\\1")
file(GLOB test_scenes CONFIGURE_DEPENDS engines/*/scene/*.c)
set(problems ${PROJECT_SOURCE_DIR}/problems)
set(engine_target cq_test_engines)
add_library(cq_test_engines OBJECT ${PROJECT_SOURCE_DIR}/sim/core/engines.c ${problems}/engine_part.c
  ${problems}/schema_rows.c ${test_scenes})
target_include_directories(cq_test_engines BEFORE PRIVATE engines)
target_include_directories(cq_test_engines PRIVATE ${problems} ${problems}/terms)
target_link_libraries(cq_test_engines PRIVATE cq_sim cq_shapes cq_opt cq_flags)
foreach(engine IN LISTS test_engines)
  include(engines/${engine}/${engine}.cmake)
endforeach()

add_executable(cqopt_engines $<TARGET_OBJECTS:cq_test_engines> $<TARGET_OBJECTS:cqopt>)
target_link_libraries(cqopt_engines PRIVATE cq_cli cq_sim cq_flags)
cq_portable(cqopt_engines)

add_executable(test_engines test_engines.c $<TARGET_OBJECTS:cq_test_engines>)
target_include_directories(test_engines PRIVATE ${problems} ${problems}/terms)
target_link_libraries(test_engines PRIVATE cq_problems cq_sim cq_shapes cq_flags m)

# what gradients of every grade are good for, by the engine of springs, which has them all
add_executable(test_problems_graded test_problems_graded.c $<TARGET_OBJECTS:cq_test_engines>)
target_include_directories(test_problems_graded PRIVATE ${problems} ${problems}/terms)
target_link_libraries(test_problems_graded PRIVATE cq_problems cq_sim cq_shapes cq_flags m)
add_test(NAME problems_graded COMMAND test_problems_graded)
add_test(NAME cli_graded
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli_graded.sh $<TARGET_FILE:cqopt_engines>)
set_tests_properties(problems_graded cli_graded PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/problems_graded.d)
set_tests_properties(problems_graded PROPERTIES
  WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/problems_graded.d)

# what every engine has to pass, on the scenes in its folder
file(STRINGS ${PROJECT_SOURCE_DIR}/sim/core/engine_list.h all_engines REGEX "^CQ_ENGINE")
list(TRANSFORM all_engines REPLACE "^CQ_ENGINE\\((.*)\\)$" "${PROJECT_SOURCE_DIR}/sim/\\1")
list(TRANSFORM test_engines PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/engines/)
foreach(folder IN LISTS all_engines test_engines)
  get_filename_component(engine ${folder} NAME)
  file(GLOB scenes CONFIGURE_DEPENDS ${folder}/scene/conformance*.cfg)
  foreach(scene IN LISTS scenes)
    get_filename_component(name ${scene} NAME_WE)
    string(REPLACE "conformance" engine_${engine} name ${name})
    add_test(NAME ${name} COMMAND test_engines ${scene})
    add_test(NAME ${name}_resumed COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/engine_resumed.sh
      $<TARGET_FILE:cqopt_engines> "${kill_shim}" ${scene})
    set_tests_properties(${name} ${name}_resumed PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
  endforeach()
endforeach()
