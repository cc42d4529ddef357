# Install and export, so that another project's find_package(tain) gives tain::sampling, tain::text, tain::lda and tain::reproduce.
include(CMakePackageConfigHelpers)

install(TARGETS tain_sampling tain_text tain_lda tain_reproduce EXPORT tain_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tain DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS tain RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT tain_targets NAMESPACE tain:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tain)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tainConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/tainConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tain)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tainConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tainConfig.cmake ${PROJECT_BINARY_DIR}/tainConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tain)
