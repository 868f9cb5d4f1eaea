# Installs the libraries with a CMake package and modules of pkg-config, and the programs with their pages. All of it
# can be moved together with its prefix. Four components: `libraries` (what programs need that run), `development`,
# `programs`, and `documentation`.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/partyline)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pkgconfig_to_prefix /${pkgconfig_dir} /)

function(partyline_install_kind target name)
    get_target_property(type ${target} TYPE)
    set(kind static)
    if(type STREQUAL "SHARED_LIBRARY")
        set(kind shared)
    endif()
    set(headers FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
    if(target MATCHES "_shared$") # those of the other kind
        set(headers)
    endif()
    install(TARGETS ${target} EXPORT ${name}-${kind}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraries NAMELINK_COMPONENT development
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        ${headers})
    install(EXPORT ${name}-${kind} NAMESPACE partyline:: DESTINATION ${package_dir} COMPONENT development)
endfunction()

# partyline_install_library(target component NAME description [REQUIRES modules] [PRIVATE modules] [FLAGS flags])
function(partyline_install_library target)
    cmake_parse_arguments(PARSE_ARGV 1 pc "" "name;description;requires;requires_private;flags;libraries" "")
    set(pc_library ${target})
    set(pc_libraries_private "${pc_libraries}")
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY" AND NOT TARGET ${target}_shared)
        # Who links an archive needs what it needs, and few ask pkg-config by --static.
        string(APPEND pc_requires " ${pc_requires_private}")
        set(pc_requires_private)
    endif()
    configure_file(cmake/partyline.pc.in ${pc_name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${pkgconfig_dir} COMPONENT development)
    partyline_install_kind(${target} ${pc_name})
    if(TARGET ${target}_shared)
        partyline_install_kind(${target}_shared ${pc_name})
    endif()
endfunction()

partyline_install_library(partyline name partyline description "${PROJECT_DESCRIPTION}"
    flags -pthread libraries "-lboost_json -pthread")
if(PARTYLINE_BUILD_ACCESS)
    partyline_install_library(partyline_access name partyline-access description "Authentication and authorization for partyline"
        requires "partyline = ${PROJECT_VERSION}" requires_private libcrypto)
endif()
if(PARTYLINE_BUILD_HTTP)
    partyline_install_library(partyline_http name partyline-http description "HTTP and WebSocket on partyline"
        requires "partyline = ${PROJECT_VERSION}" requires_private libcrypto)
endif()
if(PARTYLINE_BUILD_FLEET)
    partyline_install_library(partyline_fleet name partyline-fleet description "Calls over NATS with JetStream, of partyline"
        requires "partyline = ${PROJECT_VERSION}" flags -pthread libraries "-lnats -pthread")
endif()
if(PARTYLINE_BUILD_TELEMETRY)
    partyline_install_library(partyline_telemetry name partyline-telemetry description "Metrics and traces of partyline"
        requires "partyline = ${PROJECT_VERSION}" requires_private prometheus-cpp-core)
endif()
if(PARTYLINE_BUILD_TLS)
    partyline_install_library(partyline_tls name partyline-tls description "TLS for partyline"
        requires "partyline = ${PROJECT_VERSION}" requires_private libssl)
endif()
if(PARTYLINE_BUILD_MCP)
    partyline_install_library(partyline_mcp name partyline-mcp description "The Model Context Protocol on partyline"
        requires "partyline = ${PROJECT_VERSION}" requires_private libcrypto)
    partyline_install_library(partyline_mcp_extensions name partyline-mcp-extensions
        description "Extensions of the Model Context Protocol on partyline"
        requires "partyline-mcp = ${PROJECT_VERSION}" requires_private libcrypto)
    partyline_install_library(partyline_mcp_test name partyline-mcp-test
        description "A test client for servers of the Model Context Protocol on partyline"
        requires "partyline-mcp = ${PROJECT_VERSION}")
endif()

configure_package_config_file(cmake/partyline-config.cmake.in partyline-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(partyline-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/partyline-config.cmake ${PROJECT_BINARY_DIR}/partyline-config-version.cmake
    cmake/partyline_check_co_await.cmake cmake/check_co_await.py cmake/partyline_tell_missing.cmake
    DESTINATION ${package_dir} COMPONENT development)
if(PARTYLINE_BUILD_FLEET)
    install(FILES cmake/Findpartyline_nats.cmake DESTINATION ${package_dir} COMPONENT development)
endif()
# Where they lie in the tree, so that their links lead somewhere.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(DIRECTORY apps/guide apps/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}/apps COMPONENT documentation)
foreach(what IN ITEMS apps/tools/README.md lib/README.md lib/transport/WINDOWS.md lib/mcp/testing/schemas/LICENSE
        lib/mcp/testing/schemas/README.md test/bench/README.md test/bench/chart.svg test/manifest/README.md)
    cmake_path(GET what PARENT_PATH folder)
    install(FILES ${what} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT documentation)
endforeach()
# Made by the target `reference`, and installed where that has been built and the component is asked for.
install(DIRECTORY ${PROJECT_BINARY_DIR}/reference/html DESTINATION ${CMAKE_INSTALL_DOCDIR}/reference
    COMPONENT documentation OPTIONAL EXCLUDE_FROM_ALL)

if(PARTYLINE_BUILD_APPS AND NOT PARTYLINE_SANITIZE)
    set(programs partyline-echo partyline-call)
    if(PARTYLINE_BUILD_MCP)
        list(APPEND programs partyline-gateway partyline-tools)
    endif()
    install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
    set(zsh site-functions)
    if(EXISTS /etc/debian_version)
        set(zsh vendor-completions)
    endif()
    # The units, where the programs are packaged without the documentation.
    install(DIRECTORY apps/examples/gateway apps/examples/fleet
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/partyline-tools/examples COMPONENT programs EXCLUDE_FROM_ALL)
    foreach(program IN LISTS programs)
        install(FILES cmake/pages/${program}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT programs)
        install(FILES cmake/pages/${program}.bash RENAME ${program}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT programs)
        install(FILES cmake/pages/_${program}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh} COMPONENT programs)
        install(FILES cmake/pages/${program}.fish
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT programs)
    endforeach()
endif()

if(PROJECT_IS_TOP_LEVEL AND CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    include(packaging/partyline_packages)
endif()
