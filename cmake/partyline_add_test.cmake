# One precompiled header for all test programs.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/test_pch.cpp CONTENT "")
add_library(partyline_test_pch OBJECT ${CMAKE_CURRENT_BINARY_DIR}/test_pch.cpp)
target_link_libraries(partyline_test_pch PRIVATE
    partyline::partyline Boost::unit_test_framework partyline_warnings)
if(PARTYLINE_SANITIZE MATCHES "undefined")
    # The library is what is looked at; its checks in every test would double the time that these take to compile.
    set(partyline_test_options -fno-sanitize=undefined)
endif()
target_compile_options(partyline_test_pch PRIVATE ${partyline_test_options})
target_precompile_headers(partyline_test_pch PRIVATE
    <boost/asio/any_io_executor.hpp> <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp> <boost/json.hpp>
    <boost/test/unit_test.hpp>
    <string> <vector>
)

# partyline_add_test(name sources...): a Boost.Test program whose suites CTest runs one by one. Its module.cpp defines
# BOOST_TEST_MODULE, which has to come before the framework's header, so that file goes without the precompiled one.
# CTest asks the program for its suites when it starts, so that a new suite cannot be forgotten.
function(partyline_add_test name)
    add_executable(${name} ${ARGN})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/test)
    target_link_libraries(${name} PRIVATE partyline::partyline Boost::unit_test_framework partyline_warnings)
    target_compile_options(${name} PRIVATE ${partyline_test_options})
    set(module_files ${ARGN})
    list(FILTER module_files INCLUDE REGEX "module\\.cpp$")
    set_source_files_properties(${module_files} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    target_precompile_headers(${name} REUSE_FROM partyline_test_pch)

    set(suites_script ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
    file(CONFIGURE OUTPUT ${suites_script} @ONLY CONTENT [[
set(test_program "@CMAKE_CURRENT_BINARY_DIR@/@name@")
include("@PROJECT_SOURCE_DIR@/cmake/discover_suites.cmake")
]])
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${suites_script})
endfunction()
