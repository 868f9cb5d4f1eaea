# Compiles for macOS on 64-bit ARM, where nothing but the compiler is of that system. See setup.sh.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(zig_target aarch64-macos)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
set(CMAKE_INSTALL_NAME_TOOL ${CMAKE_COMMAND}) # it has to be something, and nothing is installed
