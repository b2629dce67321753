# Writes OUT, a C file that includes HEADER, with the text of each of FILES as
#   const TYPE ARRAY[] = {{"name", text}, ..., {0, 0}};
set(arrays "")
set(table "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const char ${name}_text[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", ${name}_text},\n")
endforeach()
file(WRITE ${OUT}
  "#include \"${HEADER}\"\n${arrays}const ${TYPE} ${ARRAY}[] = {\n${table}    {0, 0},\n};\n")
