# Install and export, so that another project's find_package(tain) or pkg-config gives the libraries, and a shell the
# program with its manual pages and completions, and Python the package. Four components, which become four Debian
# packages: `tool`, `dev`, `python` and `mpi`.
include(CMakePackageConfigHelpers)

# dev
install(TARGETS tain_sampling tain_text tain_lda tain_reproduce EXPORT tain_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tain DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT tain_targets NAMESPACE tain:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tain COMPONENT dev)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tainConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/tainConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tain)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tainConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tainConfig.cmake ${PROJECT_BINARY_DIR}/tainConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tain COMPONENT dev)
file(RELATIVE_PATH TAIN_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tain.pc.in ${PROJECT_BINARY_DIR}/tain.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tain.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
# Both also straight from the build folder: tain_DIR, or PKG_CONFIG_PATH with /pkgconfig, names it.
export(EXPORT tain_targets NAMESPACE tain:: FILE ${PROJECT_BINARY_DIR}/tain_targets.cmake)
if(TAIN_SANITIZE)
  set(TAIN_SANITIZE_FLAG -fsanitize=${TAIN_SANITIZE})
endif()
file(RELATIVE_PATH TAIN_PC_TO_SOURCE ${PROJECT_BINARY_DIR}/pkgconfig ${PROJECT_SOURCE_DIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/tain-uninstalled.pc.in
               ${PROJECT_BINARY_DIR}/pkgconfig/tain-uninstalled.pc @ONLY)

# tool
install(TARGETS tain RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
set(texts ${PROJECT_BINARY_DIR}/generated)
add_custom_command(OUTPUT ${texts}/man1/tain.1.gz
                   COMMAND ${CMAKE_COMMAND} -D TAIN=$<TARGET_FILE:tain> -D FOLDER=${texts}
                           -P ${PROJECT_SOURCE_DIR}/cmake/generate_texts.cmake
                   DEPENDS tain ${PROJECT_SOURCE_DIR}/cmake/generate_texts.cmake
                   COMMENT "Generating manual pages and completions" VERBATIM)
add_custom_target(tain_generated_texts ALL DEPENDS ${texts}/man1/tain.1.gz)
install(DIRECTORY ${texts}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tool)
install(FILES ${texts}/bash/tain DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
install(FILES ${texts}/zsh/_tain DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tool)
install(FILES ${texts}/fish/tain.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tool)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tain COMPONENT tool)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tain COMPONENT tool
        PATTERN CMakeLists.txt EXCLUDE PATTERN python EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CITATION.cff
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tain COMPONENT tool)

# python: where Debian's interpreter looks, which is another folder under /usr than under /usr/local. Which prefix it is
# shows when it is installed: packages have /usr, whatever was configured.
if(TARGET tain_python)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  install(CODE "if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(TAIN_PYTHON_FOLDER lib/python3/dist-packages)
  else()
    set(TAIN_PYTHON_FOLDER lib/python${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}/dist-packages)
  endif()" COMPONENT python)
  set(TAIN_PYTHON_FOLDER "\${TAIN_PYTHON_FOLDER}")
  install(TARGETS tain_python LIBRARY DESTINATION ${TAIN_PYTHON_FOLDER}/tain COMPONENT python)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/tain DESTINATION ${TAIN_PYTHON_FOLDER} COMPONENT python
          FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/python/tain-${PROJECT_VERSION}.dist-info DESTINATION ${TAIN_PYTHON_FOLDER}
          COMPONENT python)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/python/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-tain/examples
          COMPONENT python)
endif()

# mpi: where the program looks for it
if(TARGET tain_mpi)
  install(TARGETS tain_mpi LIBRARY DESTINATION lib/tain COMPONENT mpi)
endif()

include(cmake/packages.cmake)
