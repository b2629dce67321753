# the reference and the problem files in README.md and docs/ are those of the program
add_test(NAME docs_schema
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_schema.sh $<TARGET_FILE:cqopt>)
# their numbers are those of results/reference
add_test(NAME docs_numbers COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_numbers.sh)
