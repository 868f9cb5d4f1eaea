# Run by CTest: registers each top-level suite of the Boost.Test program `test_program`, the command with what runs it
# where that is cross-compiled; those of `slow_suites` as slow.
cmake_policy(VERSION 3.25) # CTest starts without the policies of the project
list(GET test_program -1 test_name)
get_filename_component(test_name ${test_name} NAME)
execute_process(COMMAND ${test_program} --list_content RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE content)
string(REGEX MATCHALL "(^|\n)[^ *\n]+\\*" suites "${content}")

if(status EQUAL 0 AND suites)
    foreach(suite IN LISTS suites)
        string(REGEX REPLACE "[*\n]" "" suite "${suite}")
        # Boost.Test would take the end of a child process for an error of the test.
        add_test("${test_name}.${suite}" ${test_program} --run_test=${suite} --catch_system_errors=no --color_output=no)
        set_tests_properties("${test_name}.${suite}" PROPERTIES TIMEOUT 240)
        if(suite IN_LIST slow_suites)
            set_tests_properties("${test_name}.${suite}" PROPERTIES LABELS slow)
            list(REMOVE_ITEM slow_suites ${suite})
        endif()
    endforeach()
    if(slow_suites)
        message(FATAL_ERROR "${test_name} has no suites with the names ${slow_suites}, which are said to be slow")
    endif()
else()
    # Not built, or it does not start: CTest shall show that as a failed test.
    add_test("${test_name}" ${test_program})
endif()
