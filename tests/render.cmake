# pictures: what needs no drawing library, and files where it is there
cq_test(render_colours cq_record cq_base)
foreach(part palette camera paint splat)
  target_sources(test_render_colours PRIVATE ${PROJECT_SOURCE_DIR}/render/${part}.c)
endforeach()
target_include_directories(test_render_colours PRIVATE ${PROJECT_SOURCE_DIR}/render)
if(TARGET cq_render)
  cq_test(render_files cq_render PkgConfig::CAIRO)
endif()
