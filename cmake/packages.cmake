# Debian packages by CPack: `tain` (component tool), `libtain-dev` (component dev), `python3-tain` (component python) and
# `tain-mpi` (component mpi).
# tools/package builds them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tain)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # every component has its own
set(CPACK_PACKAGE_VENDOR "The Tain developers")
set(CPACK_PACKAGE_CONTACT "The Tain developers <tain-developers@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL tool dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(TAIN_DEBIAN_VERSION ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

set(CPACK_DEBIAN_TOOL_PACKAGE_NAME tain)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION math)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_TOOL_DESCRIPTION "sampler for distributions on constrained sets
Draws from densities on simplices, boxes, balls, half-lines, and products and
affine images of them, by mirrored Langevin dynamics and Hamiltonian Monte
Carlo, says whether the draws can be trusted, and trains topic models of large
collections of text by the same dynamics.

This package has the program, its manual pages and its documentation.")

# What the static libraries link, and what tainConfig.cmake looks for.
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtain-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libbz2-dev, libeigen3-dev, libexpat1-dev, libfmt-dev, libhwy-dev, liblzma-dev, libnetcdf-dev, libstemmer-dev, libtbb-dev, libutf8proc-dev, libzstd-dev, nlohmann-json3-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "tain")
set(CPACK_COMPONENT_DEV_DESCRIPTION "sampler for distributions on constrained sets, C++ library
Draws from densities on simplices, boxes, balls, half-lines, and products and
affine images of them, by mirrored Langevin dynamics and Hamiltonian Monte
Carlo, and trains topic models of large collections of text by the same
dynamics.

This package has the headers, the static libraries, a configuration for
CMake's find_package and one for pkg-config.")

# The extension module belongs to one version of the interpreter.
if(TARGET tain_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  math(EXPR next "${Python3_VERSION_MINOR} + 1")
  set(interpreter ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR})
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tain)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= ${interpreter}), python3 (<< ${Python3_VERSION_MAJOR}.${next}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-scipy, python3-sklearn")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-netcdf4, python3-pandas, python3-xarray")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
      "${PROJECT_SOURCE_DIR}/packaging/python/postinst;${PROJECT_SOURCE_DIR}/packaging/python/prerm")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "sampler for distributions on constrained sets, Python 3 module
Draws from densities on simplices, boxes, balls, half-lines, and products and
affine images of them, by mirrored Langevin dynamics and Hamiltonian Monte
Carlo, and says whether the draws can be trusted. Targets are built in,
written in numpy, or compiled. Topic models of text come as an estimator for
scikit-learn.

This package has the module for Python 3, with annotations of types.")
endif()

# The plug-in and the program know each other's classes, so they are of one version.
if(TARGET tain_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME tain-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION math)
  set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "tain (= ${TAIN_DEBIAN_VERSION})")
  set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "openmpi-bin")
  set(CPACK_COMPONENT_MPI_DESCRIPTION "sampler for distributions on constrained sets, runs over MPI
Draws from densities on simplices, boxes, balls, half-lines, and products and
affine images of them, by mirrored Langevin dynamics and Hamiltonian Monte
Carlo, and trains topic models of large collections of text by the same
dynamics.

This package has the plug-in by which many processes, on one machine or many,
do one run together: mpirun tain lda train.")
endif()

# Files that a Debian package must have, the same in all.
string(TIMESTAMP TAIN_DEBIAN_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC) # that of SOURCE_DATE_EPOCH where it is set
set(files ${PROJECT_BINARY_DIR}/debian)
configure_file(packaging/changelog.in ${files}/changelog.Debian @ONLY)
configure_file(CHANGELOG.md ${files}/changelog COPYONLY)
execute_process(COMMAND gzip -9nkf ${files}/changelog.Debian ${files}/changelog COMMAND_ERROR_IS_FATAL ANY)
set(packages tain:tool libtain-dev:dev)
if(TARGET tain_python)
  list(APPEND packages python3-tain:python)
endif()
if(TARGET tain_mpi)
  list(APPEND packages tain-mpi:mpi)
endif()
foreach(package ${packages})
  string(REPLACE ":" ";" package ${package})
  list(GET package 0 name)
  list(GET package 1 component)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/copyright ${files}/changelog.Debian.gz ${files}/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endforeach()

include(CPack)
