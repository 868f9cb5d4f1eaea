# Counts the instructions of a row of hostile input and of ordinary input of the same size, and compares them.
# cmake -D valgrind=… -D program=… -D row=… -D most=percent -D scratch=… -P compare.cmake
cmake_minimum_required(VERSION 3.25)

if(NOT valgrind)
    if(DEFINED ENV{CI})
        message(FATAL_ERROR "there was no valgrind when this was configured")
    endif()
    message("complexity skipped: there was no valgrind when this was configured")
    return()
endif()

function(count kind out)
    set(file ${scratch}/${row}.${kind}.callgrind)
    execute_process(
        COMMAND ${valgrind} --tool=callgrind --callgrind-out-file=${file} --toggle-collect=counted_work
            ${program} ${row} ${kind}
        OUTPUT_QUIET ERROR_VARIABLE log RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${program} ${row} ${kind} under callgrind ended with ${status}:\n${log}")
    endif()
    file(STRINGS ${file} total REGEX "^(totals|summary): [0-9]+$" LIMIT_COUNT 1)
    string(REGEX REPLACE "^[a-z]+: " "" total "${total}")
    file(REMOVE ${file})
    if(NOT total GREATER 10000)
        message(FATAL_ERROR "${row} ${kind}: nothing was counted")
    endif()
    set(${out} ${total} PARENT_SCOPE)
endfunction()

count(ordinary ordinary)
count(hostile hostile)
math(EXPR percent "${hostile} * 100 / ${ordinary}")
message("${row}: ${hostile} instructions, ordinary input takes ${ordinary}: ${percent} %")
if(percent GREATER most)
    message(FATAL_ERROR "${row} takes more than ${most} % of what ordinary input of its size takes")
endif()
