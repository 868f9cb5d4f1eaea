# Builds and runs `source` with what pkg-config says about the installed library.
cmake_minimum_required(VERSION 3.25)

set(ENV{PKG_CONFIG_PATH} ${search})
execute_process(COMMAND ${pkg_config} --cflags --libs ${module}
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
execute_process(COMMAND ${compiler} -std=c++20 -o ${program} ${source} ${flags} COMMAND_ERROR_IS_FATAL ANY)
set(ENV{LD_LIBRARY_PATH} ${search}/..) # where there are shared libraries
execute_process(COMMAND ${program} COMMAND_ERROR_IS_FATAL ANY)
