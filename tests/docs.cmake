# What README.md and docs/ say is so: terms and exit codes, links, commands, the README's robot, the tutorial
foreach(name links commands robot tutorial)
  add_test(NAME docs_${name}
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_${name}.sh $<TARGET_FILE:cqopt>)
  set_tests_properties(docs_${name} PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
endforeach()
# they run the program a hundred times, or for thousands of steps
set_tests_properties(docs_commands docs_robot docs_tutorial PROPERTIES LABELS slow)
add_test(NAME docs_robot_long
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_robot.sh $<TARGET_FILE:cqopt> long)
set_tests_properties(docs_robot_long PROPERTIES LABELS long ENVIRONMENT OMP_WAIT_POLICY=passive)
add_test(NAME docs_terms COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_terms.sh)

# the reference and the problem files in README.md and docs/ are those of the program
add_test(NAME docs_schema
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_schema.sh $<TARGET_FILE:cqopt>)

# an engine is named in its folder alone
add_test(NAME layers COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/layers.sh ${PROJECT_SOURCE_DIR})

# the program uses the library alone, and what no library has
add_test(NAME cli_headers
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli_headers.sh ${PROJECT_SOURCE_DIR})

# no circle of files, no library that needs a higher one: the layers, lowest first
set(layers cq_base cq_shapes cq_view cq_rigid cq_sim cq_record cq_render cq_opt cq_problems cq_api cq_closed_form cq_bench cq_cli)
if(NOT TARGET cq_render)
  list(REMOVE_ITEM layers cq_render)
endif()
list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_FILE:\\1>")
# what is on CUDA devices is of the simulator's layer
list(TRANSFORM layers REPLACE "(.+:cq_sim>)" "\\1,$<TARGET_FILE:cq_cuda>")
add_test(NAME circles
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/circles.sh ${CMAKE_NM} ${layers})

# their numbers are those of results/reference
add_test(NAME docs_numbers COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_numbers.sh)

# the page of the public headers; nothing in them goes without a comment
if(TARGET docs)
  add_test(NAME docs_api
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_api.sh ${PROJECT_BINARY_DIR}/docs/Doxyfile)
  set_tests_properties(docs_api PROPERTIES SKIP_RETURN_CODE 77)
endif()
