# the reference and the problem files in README.md and docs/ are those of the program
add_test(NAME docs_schema
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_schema.sh $<TARGET_FILE:cqopt>)

# an engine is named in its folder alone
add_test(NAME layers COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/layers.sh ${PROJECT_SOURCE_DIR})
