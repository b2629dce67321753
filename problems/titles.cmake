# Writes OUT, a C file with the title of each of FILES, in the order of cmake/embed.cmake.
set(table "")
foreach(file IN LISTS FILES)
  file(STRINGS ${file} line REGEX "^ *title *= *\"" LIMIT_COUNT 1)
  string(REGEX REPLACE "^ *title *= *(\"[^\"]*\").*" "\\1" title "${line}")
  string(APPEND table "    ${title},\n")
endforeach()
file(WRITE ${OUT} "#include \"builtin.h\"\nconst char *const cq_builtin_titles[] = {\n${table}    0,\n};\n")
