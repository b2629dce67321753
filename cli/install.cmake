# Man pages and completions, made from the tables of the program; and what of the program is installed.
include(GNUInstallDirs)
file(GLOB pages_sources CONFIGURE_DEPENDS pages/*.c)
add_executable(cqopt_pages ${pages_sources})
target_link_libraries(cqopt_pages PRIVATE cq_cli cq_flags)
cq_portable(cqopt_pages)

# a page a command
set(pages ${CMAKE_CURRENT_BINARY_DIR}/pages)
set(man_pages ${pages}/cqopt.1)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cmd_list.h)
file(STRINGS cmd_list.h lines REGEX "^CQ_COMMAND")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^CQ_COMMAND\\(([a-z]+),.*" "\\1" name "${line}")
  list(APPEND man_pages ${pages}/cqopt-${name}.1)
endforeach()
file(MAKE_DIRECTORY ${pages})
set(complete ${CMAKE_CURRENT_SOURCE_DIR}/pages/complete.bash)
file(STRINGS ${PROJECT_SOURCE_DIR}/CITATION.cff date REGEX "^date-released:")
string(REGEX REPLACE "^date-released: *\"?([0-9-]+).*" "\\1" date "${date}")
add_custom_command(OUTPUT ${man_pages} ${pages}/cqopt.bash ${pages}/_cqopt
  COMMAND cqopt_pages ${PROJECT_VERSION} "${date}" ${pages}
  COMMAND ${CMAKE_COMMAND} -E cat ${pages}/tables.bash ${complete} > ${pages}/cqopt.bash
  DEPENDS cqopt_pages ${complete} VERBATIM)
add_custom_target(pages ALL DEPENDS ${man_pages} ${pages}/cqopt.bash ${pages}/_cqopt)

install(TARGETS cqopt RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/cqopt.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME cqopt)
# zsh looks below /usr where packages of Debian have theirs, and elsewhere for those of the site
install(CODE "
  set(folder site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES \"(^|/)usr$\" AND EXISTS /etc/debian_version)
    set(folder vendor-completions)
  endif()
  file(INSTALL \"${pages}/_cqopt\"
    DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${folder}\")")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
