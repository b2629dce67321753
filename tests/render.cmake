# pictures: what needs no drawing library, and files where it is there
cq_test(render_colours cq_record cq_base)
foreach(part palette camera paint radii splat)
  target_sources(test_render_colours PRIVATE ${PROJECT_SOURCE_DIR}/render/${part}.c)
endforeach()
target_include_directories(test_render_colours PRIVATE ${PROJECT_SOURCE_DIR}/render)
# of use in a build with sanitizers alone
set(cq_font_leaks
  LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/fontconfig.supp:print_suppressions=0)
if(TARGET cq_render)
  cq_test(render_files cq_render PkgConfig::CAIRO)
  set_property(TEST render_files APPEND PROPERTY ENVIRONMENT ${cq_font_leaks})
endif()
