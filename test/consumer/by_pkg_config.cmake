# Builds and runs `source` with what pkg-config says about the installed library; with `archives`, as the guide says
# that archives are linked.
cmake_minimum_required(VERSION 3.25)

set(ENV{PKG_CONFIG_PATH} ${search})
execute_process(COMMAND ${pkg_config} --cflags --libs ${module}
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(archives)
    execute_process(COMMAND ${pkg_config} --cflags --libs --static ${module}
        OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "-l(partyline[a-z_]*)" "-l:lib\\1.a" flags "${flags}")
endif()
separate_arguments(flags UNIX_COMMAND "${flags}")
execute_process(COMMAND ${compiler} -std=c++20 -o ${program} ${source} ${flags} COMMAND_ERROR_IS_FATAL ANY)
set(ENV{LD_LIBRARY_PATH} ${search}/..) # where there are shared libraries
execute_process(COMMAND ${program} COMMAND_ERROR_IS_FATAL ANY)
if(archives)
    execute_process(COMMAND readelf -d ${program} OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
    if(needed MATCHES "libpartyline")
        message(FATAL_ERROR "it is linked with a shared library:\n${needed}")
    endif()
endif()
