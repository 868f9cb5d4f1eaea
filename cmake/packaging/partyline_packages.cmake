# Packages of Debian, by `cpack -G DEB` in a build folder with PARTYLINE_BUILD_BOTH: what programs need that run, what
# is needed to build some, and the programs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME partyline)
set(CPACK_PACKAGE_CONTACT "the maintainers of partyline <maintainers@partyline.invalid>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL libraries development programs)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib ${PROJECT_BINARY_DIR}/lib/access
    ${PROJECT_BINARY_DIR}/lib/http ${PROJECT_BINARY_DIR}/lib/mcp
    ${PROJECT_BINARY_DIR}/lib/telemetry ${PROJECT_BINARY_DIR}/lib/tls)

set(CPACK_DEBIAN_LIBRARIES_PACKAGE_NAME libpartyline${PARTYLINE_SOVERSION})
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/triggers)
set(CPACK_COMPONENT_LIBRARIES_DESCRIPTION "Concurrent JSON-RPC 2.0 over any Asio stream: shared libraries")

set(telemetry_dev)
if(PARTYLINE_BUILD_TELEMETRY)
    set(telemetry_dev ", prometheus-cpp-dev")
endif()
set(fleet_dev)
if(PARTYLINE_BUILD_FLEET)
    set(fleet_dev ", libnats-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpartyline-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libpartyline${PARTYLINE_SOVERSION} (= ${PROJECT_VERSION}), libboost-json1.81-dev | libboost-json-dev (>= 1.81), libboost1.81-dev | libboost-dev (>= 1.81), libssl-dev (>= 3)${telemetry_dev}${fleet_dev}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Concurrent JSON-RPC 2.0 over any Asio stream: headers, archives and documentation")

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME partyline-tools)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION "Programs that call JSON-RPC and MCP servers, put them on the network, and are some")
include(CPack)
