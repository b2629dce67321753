# cq_target(name): the warning flags, sanitizers and standards every target of ours is built with.
add_library(cq_flags INTERFACE)
target_compile_options(cq_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes -Wstrict-prototypes>)
if(CQ_WERROR)
  target_compile_options(cq_flags INTERFACE -Werror)
endif()
if(CQ_SANITIZE)
  target_compile_options(cq_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g)
  target_link_options(cq_flags INTERFACE -fsanitize=address,undefined)
endif()
if(CQ_FUZZER) # which wants to see where an input leads
  target_compile_options(cq_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(NOT CQ_OPENMP)
  target_compile_options(cq_flags INTERFACE -Wno-unknown-pragmas)
endif()
