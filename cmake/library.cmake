# libcqopt.so and libcqopt.a: all that is below the program, as one object. The archive's copy knows
# the names of the API alone; the shared library exports them by cqopt.map.
block(SCOPE_FOR VARIABLES)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
find_package(HDF5 REQUIRED COMPONENTS C)

set(parts cq_base cq_shapes cq_view cq_rigid cq_sim cq_cuda cq_record cq_opt cq_problems cq_api)
list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
set(all ${CMAKE_CURRENT_BINARY_DIR}/cqopt_all.o)
set(own ${CMAKE_CURRENT_BINARY_DIR}/cqopt_own.o)
add_custom_command(OUTPUT ${all} ${own}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${all} -Wl,--whole-archive ${archives}
    -Wl,--no-whole-archive
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${all} ${own}
  DEPENDS ${parts} VERBATIM)
set_source_files_properties(${all} ${own} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
add_custom_target(cqopt_object DEPENDS ${all} ${own})

set(map ${PROJECT_SOURCE_DIR}/cmake/cqopt.map)
add_library(cqopt_shared SHARED ${all})
add_library(cqopt_static STATIC ${own})
foreach(kind shared static)
  add_dependencies(cqopt_${kind} cqopt_object)
  set_target_properties(cqopt_${kind} PROPERTIES OUTPUT_NAME cqopt LINKER_LANGUAGE CXX)
endforeach()
set_target_properties(cqopt_shared PROPERTIES EXPORT_NAME cqopt SOVERSION ${CQ_ABI}
  VERSION ${CQ_ABI}.${PROJECT_VERSION} LINK_DEPENDS ${map})
target_include_directories(cqopt_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_options(cqopt_shared PRIVATE -Wl,--version-script=${map})
if(NOT CQ_SANITIZE AND NOT CQ_FUZZER)
  target_link_options(cqopt_shared PRIVATE -Wl,-z,defs)
endif()
target_link_libraries(cqopt_shared PRIVATE PkgConfig::NLOPT PkgConfig::GSL PkgConfig::LIBCONFIG
  hdf5::hdf5 Threads::Threads m cq_flags)
# what pkg-config says to those who link the archive
set(pc_requires nlopt gsl libconfig)
set(pc_libs "-lm -lpthread -lstdc++")
pkg_check_modules(HDF5_PC QUIET hdf5)
if(HDF5_PC_FOUND)
  list(APPEND pc_requires hdf5)
else()
  list(JOIN HDF5_C_LIBRARIES " " hdf5_libs)
  string(APPEND pc_libs " ${hdf5_libs}")
endif()
if(IPOPT_FOUND)
  target_link_libraries(cqopt_shared PRIVATE PkgConfig::IPOPT)
  list(APPEND pc_requires ipopt)
endif()
if(PNG_FOUND)
  target_link_libraries(cqopt_shared PRIVATE PkgConfig::PNG)
  list(APPEND pc_requires libpng)
endif()
if(CQ_OPENMP)
  target_link_libraries(cqopt_shared PRIVATE OpenMP::OpenMP_C)
  list(JOIN OpenMP_C_FLAGS " " openmp)
  string(APPEND pc_libs " ${openmp}")
endif()
if(CQ_HAS_CUDA)
  target_link_libraries(cqopt_shared PRIVATE ${CUDART} ${CMAKE_DL_LIBS} rt)
  string(APPEND pc_libs " ${CUDART} -ldl -lrt")
endif()

# --- install ---------------------------------------------------------------------------------------
list(JOIN pc_requires " " pc_requires)
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix /prefix/${pc_folder} /prefix)
configure_file(cmake/cqopt.pc.in ${CMAKE_CURRENT_BINARY_DIR}/cqopt.pc @ONLY)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/cqopt)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/cqoptConfig.cmake
  "include(\"\${CMAKE_CURRENT_LIST_DIR}/cqoptTargets.cmake\")\n")
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/cqoptConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

install(TARGETS cqopt_static ARCHIVE)
install(TARGETS cqopt_shared EXPORT cqopt LIBRARY)
install(DIRECTORY include/cqopt TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cqopt.pc DESTINATION ${pc_folder})
install(EXPORT cqopt NAMESPACE cqopt:: FILE cqoptTargets.cmake DESTINATION ${package})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cqoptConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/cqoptConfigVersion.cmake DESTINATION ${package})
endblock()
