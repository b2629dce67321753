# cpack in the build folder makes a Debian package of all that is installed.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cqopt)
set(CPACK_PACKAGE_CONTACT "cqopt developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "design optimization with a differentiable simulator")
set(CPACK_PACKAGE_DESCRIPTION "cqopt turns a text file into an optimized soft robot: a problem file names a \
scene, design variables, an objective and constraints; a differentiable simulator runs inside an optimizer.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
# one package, whatever the install rules call their parts
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# the packages of the libraries that it is linked with; needs dpkg-dev
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, paraview")
include(CPack)
