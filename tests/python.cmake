# its page is made of its docstrings
add_test(NAME docs_python COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/docs_python.sh)
set_tests_properties(docs_python PROPERTIES SKIP_RETURN_CODE 77)

# the Python package, in an environment of its own; sanitizers want to be loaded before Python
if(CQ_SANITIZE AND NOT CQ_FUZZER)
  add_test(NAME python_sanitized COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/python_sanitized.sh
    $<TARGET_FILE:cqopt> $<TARGET_FILE:cqopt_shared> ${PROJECT_SOURCE_DIR})
  set_tests_properties(python_sanitized PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300
    ENVIRONMENT OMP_WAIT_POLICY=passive)
elseif(NOT CQ_FUZZER)
  add_test(NAME python_package COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/python_package.sh
    $<TARGET_FILE:cqopt> $<TARGET_FILE:cqopt_shared> ${PROJECT_SOURCE_DIR})
  # it fetches packages, and runs built-in problems
  set_tests_properties(python_package PROPERTIES LABELS slow SKIP_RETURN_CODE 77 TIMEOUT 900
    ENVIRONMENT OMP_WAIT_POLICY=passive)
endif()
