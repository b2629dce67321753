cq_test(record_trajectory cq_record)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/record_trajectory.d)
file(MAKE_DIRECTORY ${folder})
set_tests_properties(record_trajectory PROPERTIES WORKING_DIRECTORY ${folder})
