# The engine on CUDA devices. Tests labelled gpu want a device and are skipped where there is none;
# the shim (tests/shim) runs the same kernels on any machine.
function(cq_gpu_test name)
  set_tests_properties(${name} PROPERTIES LABELS gpu SKIP_RETURN_CODE 77 TIMEOUT 600
    RUN_SERIAL ON)
endfunction()
# cq_device_objects(name file definitions...): compiled once for a device and for the shim
function(cq_device_objects name file)
  add_library(${name} OBJECT ${file})
  target_compile_definitions(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE cq_sim cq_flags)
endfunction()
function(cq_gpu_program name objects)
  add_executable(test_${name} $<TARGET_OBJECTS:${objects}>)
  target_link_libraries(test_${name} PRIVATE cq_sim cq_flags m)
  add_test(NAME ${name} COMMAND test_${name})
  cq_gpu_test(${name})
endfunction()
function(cq_shim_program name objects)
  add_executable(test_${name} $<TARGET_OBJECTS:${objects}>)
  target_link_libraries(test_${name} PRIVATE cq_cuda_shim cq_sim cq_flags m)
endfunction()

foreach(program cuda_engine cuda_grains fluid_device)
  cq_device_objects(${program}_objects test_${program}.c)
endforeach()

# a build with sanitizers has no device
if(NOT CQ_SANITIZE)
  foreach(program cuda_engine cuda_grains fluid_device)
    cq_gpu_program(${program} ${program}_objects)
    cq_portable(test_${program})
  endforeach()
  add_test(NAME cli_cuda
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli_cuda.sh $<TARGET_FILE:cqopt>)
  cq_gpu_test(cli_cuda)
  add_test(NAME cli_cuda_every
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli_cuda.sh $<TARGET_FILE:cqopt> every)
  cq_gpu_test(cli_cuda_every)
  add_test(NAME cuda_sanitizer
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda_sanitizer.sh $<TARGET_FILE:test_cuda_engine>)
  cq_gpu_test(cuda_sanitizer)
  add_test(NAME cuda_sanitizer_fluid
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda_sanitizer.sh $<TARGET_FILE:test_fluid_device>)
  cq_gpu_test(cuda_sanitizer_fluid)
  add_test(NAME cuda_gpu_script
    COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda_gpu_script.sh $<TARGET_FILE:cqopt>
      ${PROJECT_SOURCE_DIR})
endif()

# what nvcc made of the kernels; it takes the headers that no kernel includes, too: of the controllers
# and terms, whose types are the same in every variant, one will do
if(CQ_HAS_CUDA)
  foreach(dim 2 3)
    foreach(bits 32 64)
      add_test(NAME cuda_registers_${dim}d_f${bits}
        COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda_registers.sh
          ${PROJECT_BINARY_DIR}/sim/mpm_cuda_${dim}d_f${bits}.o.ptxas ${dim}d_f${bits}
          ${CMAKE_CURRENT_SOURCE_DIR}/cuda_registers.txt)
      foreach(engine fluid grains)
        add_test(NAME cuda_registers_${engine}_${dim}d_f${bits}
          COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda_registers.sh
            ${PROJECT_BINARY_DIR}/sim/${engine}_cuda_${dim}d_f${bits}.o.ptxas ${dim}d_f${bits}
            ${CMAKE_CURRENT_SOURCE_DIR}/cuda_registers.txt)
      endforeach()
    endforeach()
  endforeach()
  add_test(NAME cuda_headers
    COMMAND ${NVCC} -ccbin=${CMAKE_CXX_COMPILER} -std=c++17 -arch=sm_80 -DCQ_DIM=2 -DCQ_BITS=32
      -I${PROJECT_SOURCE_DIR}/sim/core -I${PROJECT_SOURCE_DIR}/sim/math -I${PROJECT_SOURCE_DIR}/sim/mpm -I${PROJECT_SOURCE_DIR}/sim/shapes
      -I${PROJECT_SOURCE_DIR}/sim/base -I${PROJECT_SOURCE_DIR}/include
      -I${PROJECT_SOURCE_DIR}/controllers -I${PROJECT_SOURCE_DIR}/problems
      -c ${CMAKE_CURRENT_SOURCE_DIR}/headers.cu -o ${CMAKE_CURRENT_BINARY_DIR}/headers.o)
endif()

# --- with the shim -------------------------------------------------------------------------------

# All of the engine, compiled by the C++ compiler. A program that links it before cq_sim has it in
# place of cq_cuda.
include(${PROJECT_SOURCE_DIR}/cmake/engine_variant.cmake)
add_library(cq_cuda_shim INTERFACE)
target_link_libraries(cq_cuda_shim INTERFACE cuda_shim)
function(cq_shim_object name source)
  set_source_files_properties(${source} PROPERTIES LANGUAGE CXX)
  add_library(${name} OBJECT ${source})
  target_compile_definitions(${name} PRIVATE ${ARGN})
  # C lets a variable have the name of a type
  target_compile_options(${name} PRIVATE -Wno-shadow -Wno-psabi)
  target_link_libraries(${name} PRIVATE cuda_shim cq_sim cq_flags)
  target_sources(cq_cuda_shim INTERFACE $<TARGET_OBJECTS:${name}>)
endfunction()
cq_shim_object(cq_shim_devices ${PROJECT_SOURCE_DIR}/sim/core/cuda_devices.cu)
foreach(dim 2 3)
  foreach(bits 32 64)
    cq_shim_object(cq_shim_${dim}d_f${bits} ${PROJECT_SOURCE_DIR}/sim/mpm/mpm_cuda.cu CQ_DIM=${dim}
      CQ_BITS=${bits})
    cq_shim_object(cq_shim_grains_${dim}d_f${bits} ${PROJECT_SOURCE_DIR}/sim/granular/grains_cuda.cu
      CQ_DIM=${dim} CQ_BITS=${bits})
    cq_shim_object(cq_shim_fluid_${dim}d_f${bits} ${PROJECT_SOURCE_DIR}/sim/fluid/fluid_cuda.cu
      CQ_DIM=${dim} CQ_BITS=${bits})
    foreach(engine "" grains_ fluid_)
      cq_unchecked_variant(cq_shim_${engine}${dim}d_f${bits} ${dim} ${bits})
    endforeach()
  endforeach()
endforeach()
add_library(cq_shim_pick OBJECT ${PROJECT_SOURCE_DIR}/sim/mpm/cuda_pick.c
  ${PROJECT_SOURCE_DIR}/sim/granular/grains_cuda_pick.c ${PROJECT_SOURCE_DIR}/sim/fluid/device_pick.c)
target_link_libraries(cq_shim_pick PRIVATE cq_sim cq_flags)
target_sources(cq_cuda_shim INTERFACE $<TARGET_OBJECTS:cq_shim_pick>)

cq_shim_program(shim_engine cuda_engine_objects)
add_test(NAME shim_kernels COMMAND test_shim_engine $<IF:$<BOOL:${CQ_SANITIZE}>,short,whole>)
set_tests_properties(shim_kernels PROPERTIES TIMEOUT 600 ENVIRONMENT OMP_WAIT_POLICY=passive)

cq_shim_program(shim_grains cuda_grains_objects)
add_test(NAME shim_grains COMMAND test_shim_grains)
set_tests_properties(shim_grains PROPERTIES TIMEOUT 600 ENVIRONMENT OMP_WAIT_POLICY=passive)
# sse2 has no fused multiply-add
if("sse2" IN_LIST CQ_SIMD_LEVELS AND NOT CQ_SANITIZE)
  add_test(NAME shim_grains_same_bits COMMAND test_shim_grains same)
  set_tests_properties(shim_grains_same_bits PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive;CQ_SIMD=sse2")
endif()
cq_shim_program(shim_fluid_device fluid_device_objects)
add_test(NAME shim_fluid_device COMMAND test_shim_fluid_device)
add_executable(test_shim_fluid_errors test_shim_fluid_errors.c)
target_link_libraries(test_shim_fluid_errors PRIVATE cq_cuda_shim cq_sim cq_flags m)
add_test(NAME shim_fluid_errors COMMAND test_shim_fluid_errors)
set_tests_properties(shim_fluid_device shim_fluid_errors PROPERTIES ENVIRONMENT
  OMP_WAIT_POLICY=passive)

add_executable(test_shim_errors test_shim_errors.c)
target_link_libraries(test_shim_errors PRIVATE cq_cuda_shim cq_sim cq_flags m)
add_test(NAME shim_errors COMMAND test_shim_errors $<IF:$<BOOL:${CQ_SANITIZE}>,7,3>)
add_test(NAME shim_errors_all COMMAND test_shim_errors 1)
set_tests_properties(shim_errors shim_errors_all PROPERTIES TIMEOUT 600 ENVIRONMENT OMP_WAIT_POLICY=passive)
set_tests_properties(shim_errors_all PROPERTIES LABELS long)

# the whole program
add_executable(cqopt_shim $<TARGET_OBJECTS:cqopt>)
get_target_property(libraries cqopt LINK_LIBRARIES)
target_link_libraries(cqopt_shim PRIVATE cq_cuda_shim ${libraries} stdc++)
add_test(NAME shim_cli
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli_cuda.sh $<TARGET_FILE:cqopt_shim> short)
set_tests_properties(shim_cli PROPERTIES TIMEOUT 600 LABELS slow ENVIRONMENT OMP_WAIT_POLICY=passive)
add_test(NAME shim_cli_every
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli_cuda.sh $<TARGET_FILE:cqopt_shim> every)
# all built-in problems, of which the test above has some
set_tests_properties(shim_cli_every PROPERTIES TIMEOUT 1800 LABELS long ENVIRONMENT
  OMP_WAIT_POLICY=passive)
# --device and doctor, where there is a device
add_test(NAME shim_device
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli_device.sh $<TARGET_FILE:cqopt_shim>)
set_tests_properties(shim_device PROPERTIES TIMEOUT 600 LABELS slow ENVIRONMENT OMP_WAIT_POLICY=passive)

# one mistake at a time in the kernels of an engine: the comparison with the CPU sees it
# (every third mistake; _all, which is long, has all of them)
function(cq_mutation_test name kernels program mutations)
  foreach(all "" _all)
    add_test(NAME ${name}${all}
      COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/shim_mutation.sh ${PROJECT_SOURCE_DIR} ${kernels}
        ${CMAKE_CURRENT_SOURCE_DIR}/${mutations} ${CMAKE_CXX_COMPILER}
        $<TARGET_OBJECTS:${program}> $<TARGET_FILE:cuda_shim> $<TARGET_FILE:cq_sim> $<TARGET_FILE:cq_rigid>
        $<TARGET_FILE:cq_shapes> $<TARGET_FILE:cq_base> ${OpenMP_C_FLAGS}
      COMMAND_EXPAND_LISTS)
    set_tests_properties(${name}${all} PROPERTIES TIMEOUT 600)
  endforeach()
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive;MUTATIONS_EVERY=3")
  set_tests_properties(${name}_all PROPERTIES LABELS long ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()
add_executable(test_shim_mutant test_shim_mutant.c shim/one_variant.c)
target_link_libraries(test_shim_mutant PRIVATE cq_shim_2d_f64 cuda_shim cq_sim cq_flags m)
add_executable(test_shim_grains_mutant test_shim_grains_mutant.c shim/one_variant.c)
target_link_libraries(test_shim_grains_mutant PRIVATE cq_shim_grains_2d_f64 cuda_shim cq_sim cq_flags m)
add_executable(test_fluid_mutant test_fluid_device.c shim/one_variant.c)
target_compile_definitions(test_fluid_mutant PRIVATE CQ_TEST_MUTANT)
target_link_libraries(test_fluid_mutant PRIVATE cq_shim_fluid_2d_f64 cuda_shim cq_sim cq_flags m)
if(NOT CQ_SANITIZE)
  cq_mutation_test(shim_mutation sim/mpm/mpm_cuda.cu test_shim_mutant shim_mutations.txt)
  cq_mutation_test(shim_mutation_grains sim/granular/grains_cuda.cu test_shim_grains_mutant shim_mutations_grains.txt)
  cq_mutation_test(shim_mutation_fluid sim/fluid/fluid_cuda.cu test_fluid_mutant shim_mutations_fluid.txt)
endif()
