# Packages of Debian, by `cpack -G DEB` in the build folder of the preset `package`: what programs need that run, what
# is needed to build some, the programs, and the documentation.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME partyline)
set(CPACK_PACKAGE_CONTACT "the maintainers of partyline <maintainers@partyline.invalid>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian/stage.cmake)
set(CPACK_COMPONENTS_ALL libraries development programs documentation)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SOURCE partyline)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib ${PROJECT_BINARY_DIR}/lib/access
    ${PROJECT_BINARY_DIR}/lib/http ${PROJECT_BINARY_DIR}/lib/mcp
    ${PROJECT_BINARY_DIR}/lib/telemetry ${PROJECT_BINARY_DIR}/lib/tls)
# What is linked to the shared libraries needs this version or a newer one of the same SOVERSION.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

# partyline_package(component name section multi_arch description): CPack has a variable for Multi-Arch from 3.31 on
# only, so the field follows the section's.
function(partyline_package component name section multi_arch description)
    string(TOUPPER ${component} component)
    set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${name} PARENT_SCOPE)
    set(CPACK_DEBIAN_${component}_PACKAGE_SECTION "${section}\nMulti-Arch: ${multi_arch}" PARENT_SCOPE)
    set(CPACK_COMPONENT_${component}_DESCRIPTION "${description}" PARENT_SCOPE)
endfunction()

partyline_package(libraries libpartyline${PARTYLINE_SOVERSION} libs same
"concurrent JSON-RPC 2.0 over any Asio stream - shared libraries
partyline is a C++20 framework for servers and clients of JSON-RPC 2.0 on
Boost.Asio and Boost.JSON, with the Model Context Protocol, HTTP, WebSocket
and TLS on top.

This package has the shared libraries.")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/debian/triggers)

set(telemetry_dev)
if(PARTYLINE_BUILD_TELEMETRY)
    set(telemetry_dev ", prometheus-cpp-dev")
endif()
set(fleet_dev)
if(PARTYLINE_BUILD_FLEET)
    set(fleet_dev ", libnats-dev")
endif()
partyline_package(development libpartyline-dev libdevel same
"concurrent JSON-RPC 2.0 over any Asio stream - development files
partyline is a C++20 framework for servers and clients of JSON-RPC 2.0 on
Boost.Asio and Boost.JSON, with the Model Context Protocol, HTTP, WebSocket
and TLS on top.

This package has the headers, the archives, the CMake package and the modules
of pkg-config.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libpartyline${PARTYLINE_SOVERSION} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), libboost-json1.81-dev | libboost-json-dev (>= 1.81), libboost1.81-dev | libboost-dev (>= 1.81), libssl-dev (>= 3)${telemetry_dev}${fleet_dev}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "python3:any") # runs partyline_check_co_await
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS libpartyline-doc)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)

partyline_package(programs partyline-tools utils foreign
"servers, a gateway and a client of JSON-RPC and MCP
partyline-call calls any server of JSON-RPC or of the Model Context Protocol,
partyline-gateway puts servers on the network, partyline-tools serves files
and commands to agents, and partyline-echo is a server to try clients with.")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS ca-certificates) # that servers are verified by
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS libpartyline-doc)

partyline_package(documentation libpartyline-doc doc foreign
"concurrent JSON-RPC 2.0 over any Asio stream - documentation
partyline is a C++20 framework for servers and clients of JSON-RPC 2.0 on
Boost.Asio and Boost.JSON, with the Model Context Protocol, HTTP, WebSocket
and TLS on top.

This package has the guide, the reference and the examples.")
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SHLIBDEPS OFF)
include(CPack)
