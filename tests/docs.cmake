# What README.md and docs/ say is so: terms and exit codes, links, commands, the README's robot, the tutorial
foreach(name links commands robot tutorial)
  add_test(NAME docs_${name}
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_${name}.sh $<TARGET_FILE:cqopt>)
  set_tests_properties(docs_${name} PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
endforeach()
# they run the program a hundred times, or for thousands of steps
set_tests_properties(docs_commands docs_robot PROPERTIES LABELS slow)
add_test(NAME docs_robot_long
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_robot.sh $<TARGET_FILE:cqopt> long)
set_tests_properties(docs_robot_long PROPERTIES LABELS long ENVIRONMENT OMP_WAIT_POLICY=passive)
add_test(NAME docs_terms COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_terms.sh)

# the reference and the problem files in README.md and docs/ are those of the program
add_test(NAME docs_schema
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_schema.sh $<TARGET_FILE:cqopt>)

# an engine is named in its folder alone
add_test(NAME layers COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/layers.sh ${PROJECT_SOURCE_DIR})

# their numbers are those of results/reference
add_test(NAME docs_numbers COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_numbers.sh)
