# One precompiled header for all test programs.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/test_pch.cpp CONTENT "")
add_library(partyline_test_pch OBJECT ${CMAKE_CURRENT_BINARY_DIR}/test_pch.cpp)
target_link_libraries(partyline_test_pch PRIVATE
    partyline::partyline Boost::unit_test_framework partyline_warnings)
if(PARTYLINE_SANITIZE MATCHES "undefined")
    # The library is what is looked at; its checks in every test would double the time that these take to compile.
    set(partyline_test_options -fno-sanitize=undefined)
endif()
if(PARTYLINE_SANITIZE)
    # A report names the functions of a test without that, and the lines of the library, in a seventh less time.
    list(APPEND partyline_test_options -g0)
endif()
# Tests are compiled more often than they run: without optimisation that takes half the time. The library is as it is
# shipped.
list(APPEND partyline_test_options $<$<CONFIG:Release>:-O0>)
if(CMAKE_CROSSCOMPILING_EMULATOR)
    list(APPEND partyline_test_options -DPARTYLINE_EMULATED) # see support/sanitized.hpp
endif()
target_compile_options(partyline_test_pch PRIVATE ${partyline_test_options})
target_precompile_headers(partyline_test_pch PRIVATE
    <boost/asio/any_io_executor.hpp> <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp> <boost/json.hpp>
    <boost/test/unit_test.hpp>
    <string> <vector>
)

# partyline_compile_as_test(target): what the sources of tests and of their vocabulary have in common.
function(partyline_compile_as_test target)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/test)
    target_link_libraries(${target} PRIVATE partyline::partyline Boost::unit_test_framework partyline_warnings)
    target_compile_options(${target} PRIVATE ${partyline_test_options})
    target_precompile_headers(${target} REUSE_FROM partyline_test_pch)
    partyline_compile_together(${target} 20)
endfunction()

# partyline_runnable(program result): the path by which a test starts a program of ours; where it is cross-compiled, the
# path of a script that starts the emulator.
function(partyline_runnable program result)
    if(NOT CMAKE_CROSSCOMPILING_EMULATOR)
        set(${result} $<TARGET_FILE:${program}> PARENT_SCOPE)
        return()
    endif()
    set(script ${CMAKE_BINARY_DIR}/emulated/${program})
    set(${result} ${script} PARENT_SCOPE)
    get_property(has_script GLOBAL PROPERTY partyline_emulated_${program})
    if(has_script)
        return()
    endif()
    set_property(GLOBAL PROPERTY partyline_emulated_${program} TRUE)
    # The permissions come last: CMake 3.25 aborts where CONTENT follows them.
    file(GENERATE OUTPUT ${script}
        CONTENT "#!/bin/sh\nexec ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${program}> \"$@\"\n"
        FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# partyline_add_test_program(name sources... [PROGRAMS programs...]): a Boost.Test program. It knows each of the
# programs that it starts by a macro with the path: partyline-echo is PARTYLINE_ECHO, noisy_server is
# PARTYLINE_NOISY_SERVER.
function(partyline_add_test_program name)
    cmake_parse_arguments(PARSE_ARGV 1 test "" "" "PROGRAMS")
    add_executable(${name} ${test_UNPARSED_ARGUMENTS})
    partyline_compile_as_test(${name})
    target_link_libraries(${name} PRIVATE test_main test_system)
    foreach(program IN LISTS test_PROGRAMS)
        string(MAKE_C_IDENTIFIER ${program} macro)
        string(TOUPPER ${macro} macro)
        string(REGEX REPLACE "^PARTYLINE_" "" macro ${macro})
        partyline_runnable(${program} path)
        target_compile_definitions(${name} PRIVATE PARTYLINE_${macro}="${path}")
        add_dependencies(${name} ${program})
    endforeach()
endfunction()

# partyline_keep_threads(sources): takes out of a list the tests with one thread.
function(partyline_keep_threads list)
    foreach(source IN LISTS ${list})
        if(source MATCHES "_test\\.cpp$")
            file(STRINGS ${source} of_threads REGEX "thread" LIMIT_COUNT 1)
            if(NOT of_threads)
                list(REMOVE_ITEM ${list} ${source})
            endif()
        endif()
    endforeach()
    set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# partyline_add_test(name sources... [PROGRAMS programs...] [SLOW_SUITES suites...]): a Boost.Test program whose suites
# CTest runs one by one. CTest asks the program for its suites when it starts, so that a new suite cannot be forgotten.
# The test presets quick and check leave out the slow ones. Where partyline_tests_of_threads is set, ThreadSanitizer
# gets only the sources that say something of threads: it would compile the others, which have one, for nothing.
function(partyline_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 test "" "" "PROGRAMS;SLOW_SUITES")
    set(sources ${test_UNPARSED_ARGUMENTS})
    if(partyline_tests_of_threads AND PARTYLINE_SANITIZE MATCHES "thread")
        partyline_keep_threads(sources)
    endif()
    partyline_add_test_program(${name} ${sources} PROGRAMS ${test_PROGRAMS})
    set(suites_script ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
    file(CONFIGURE OUTPUT ${suites_script} @ONLY CONTENT [[
set(test_program @CMAKE_CROSSCOMPILING_EMULATOR@ "@CMAKE_CURRENT_BINARY_DIR@/@name@")
set(slow_suites "@test_SLOW_SUITES@")
include("@PROJECT_SOURCE_DIR@/cmake/discover_suites.cmake")
]])
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${suites_script})
endfunction()
