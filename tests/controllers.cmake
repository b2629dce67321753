# every controller in dual numbers
add_executable(test_controllers_dual test_controllers_dual.cpp)
target_compile_definitions(test_controllers_dual PRIVATE CQ_DIM=2 CQ_BITS=64)
target_link_libraries(test_controllers_dual PRIVATE cq_base cq_controllers cq_flags)
add_test(NAME controllers_dual COMMAND test_controllers_dual)
