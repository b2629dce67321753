# point masses on springs
target_sources(${engine_target} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/spring.c
  ${CMAKE_CURRENT_LIST_DIR}/type.c)
