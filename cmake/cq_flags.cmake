# cq_target(name): the warning flags, sanitizers and standards every target of ours is built with.
add_library(cq_flags INTERFACE)
target_compile_options(cq_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes -Wstrict-prototypes>)
if(CQ_WERROR)
  target_compile_options(cq_flags INTERFACE -Werror)
endif()
if(CQ_SANITIZE)
  # lines and functions are what reports say; with types and variables programs take 130 MB each
  target_compile_options(cq_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g1)
  target_link_options(cq_flags INTERFACE -fsanitize=address,undefined)
  # two hundred programs: they take half the time to link
  include(CheckLinkerFlag)
  foreach(linker lld gold)
    check_linker_flag(C -fuse-ld=${linker} CQ_LINKER_${linker})
    if(CQ_LINKER_${linker})
      target_link_options(cq_flags INTERFACE -fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()
# after cq_flags, whose options then stand before this one: code without the sanitizers' checks
add_library(cq_unchecked INTERFACE)
target_compile_options(cq_unchecked INTERFACE -fno-sanitize=all)
if(CQ_FUZZER) # which wants to see where an input leads
  target_compile_options(cq_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(NOT CQ_OPENMP)
  target_compile_options(cq_flags INTERFACE -Wno-unknown-pragmas)
endif()
