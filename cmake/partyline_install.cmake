# Installs the library with a CMake package and a pkg-config module; both can be moved together with their prefix.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/partyline)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pkgconfig_to_prefix /${pkgconfig_dir} /)

configure_package_config_file(cmake/partyline-config.cmake.in partyline-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(partyline-config-version.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/partyline.pc.in partyline.pc @ONLY)

install(TARGETS partyline EXPORT partyline-targets FILE_SET HEADERS)
install(EXPORT partyline-targets NAMESPACE partyline:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/partyline-config.cmake ${PROJECT_BINARY_DIR}/partyline-config-version.cmake
    DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/partyline.pc DESTINATION ${pkgconfig_dir})
