# What the toolchains of zig have in common: its compiler for `zig_target`, from build/zig, where setup.sh puts it.
cmake_path(SET zig NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../build/zig/bin/zig)
set(CMAKE_CXX_COMPILER ${zig} c++ -target ${zig_target})
set(CMAKE_CXX_COMPILER_AR ${zig}-ar)
set(CMAKE_CXX_COMPILER_RANLIB ${zig}-ranlib)
set(CMAKE_AR ${zig}-ar)
set(CMAKE_RANLIB ${zig}-ranlib)
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
# Nothing of this system's libraries is for the other one.
set(CMAKE_FIND_ROOT_PATH ${CMAKE_BINARY_DIR}/none)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
