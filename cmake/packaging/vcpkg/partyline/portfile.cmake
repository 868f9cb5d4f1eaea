# An overlay port, which builds the sources that it lies in:
#     vcpkg install partyline --overlay-ports=cmake/packaging/vcpkg
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
    FEATURES
        access PARTYLINE_BUILD_ACCESS
        http PARTYLINE_BUILD_HTTP
        mcp PARTYLINE_BUILD_MCP
        telemetry PARTYLINE_BUILD_TELEMETRY
        tls PARTYLINE_BUILD_TLS)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DPARTYLINE_BUILD_APPS=OFF -DPARTYLINE_BUILD_TESTS=OFF -DPARTYLINE_BUILD_FLEET=OFF ${FEATURE_OPTIONS})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/partyline)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
