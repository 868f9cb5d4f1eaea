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
if(PARTYLINE_BUILD_HTTP)
    configure_file(cmake/partyline-http.pc.in partyline-http.pc @ONLY)
    install(TARGETS partyline_http EXPORT partyline-http-targets FILE_SET HEADERS)
    install(EXPORT partyline-http-targets NAMESPACE partyline:: DESTINATION ${package_dir})
    install(FILES ${PROJECT_BINARY_DIR}/partyline-http.pc DESTINATION ${pkgconfig_dir})
endif()
if(PARTYLINE_BUILD_MCP)
    configure_file(cmake/partyline-mcp.pc.in partyline-mcp.pc @ONLY)
    install(TARGETS partyline_mcp EXPORT partyline-mcp-targets FILE_SET HEADERS)
    install(EXPORT partyline-mcp-targets NAMESPACE partyline:: DESTINATION ${package_dir})
    install(FILES ${PROJECT_BINARY_DIR}/partyline-mcp.pc DESTINATION ${pkgconfig_dir})
    configure_file(cmake/partyline-mcp-test.pc.in partyline-mcp-test.pc @ONLY)
    install(TARGETS partyline_mcp_test EXPORT partyline-mcp-test-targets FILE_SET HEADERS)
    install(EXPORT partyline-mcp-test-targets NAMESPACE partyline:: DESTINATION ${package_dir})
    install(FILES ${PROJECT_BINARY_DIR}/partyline-mcp-test.pc DESTINATION ${pkgconfig_dir})
    install(FILES lib/mcp/test/schemas/LICENSE lib/mcp/test/schemas/README.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/mcp-schemas)
endif()
install(FILES ${PROJECT_BINARY_DIR}/partyline-config.cmake ${PROJECT_BINARY_DIR}/partyline-config-version.cmake
    DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/partyline.pc DESTINATION ${pkgconfig_dir})
