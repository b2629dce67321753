# What README.md and docs/ say is so: the reference, the problem files, the terms, links, commands and the
# README's robot.
foreach(name schema links commands robot tutorial)
  add_test(NAME docs_${name}
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_${name}.sh $<TARGET_FILE:cqopt>)
endforeach()
add_test(NAME docs_terms COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_terms.sh)
add_test(NAME docs_robot_long
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_robot.sh $<TARGET_FILE:cqopt> long)
set_tests_properties(docs_robot_long PROPERTIES LABELS long)
set_tests_properties(docs_commands docs_robot docs_robot_long docs_tutorial PROPERTIES
  ENVIRONMENT OMP_WAIT_POLICY=passive)
# they run the program a hundred times, or for thousands of steps
set_tests_properties(docs_commands docs_robot PROPERTIES LABELS slow)
