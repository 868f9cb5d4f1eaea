# Checks that no value is made by braces within a co_await expression, for gcc 12 destroys some of those twice, and that
# no loop waits and does nothing else:
# cmake -D root=<tree> -P check_awaits.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE "${root}" "${root}/include/*.hpp" "${root}/lib/*.[hc]pp" "${root}/apps/*.[hc]pp"
    "${root}/test/*.[hc]pp")
file(GLOB pages RELATIVE "${root}" "${root}/README.md" "${root}/apps/guide/*.md")
list(APPEND files ${pages})
set(count 0)
set(problems "")
foreach(file IN LISTS files)
    file(READ "${root}/${file}" text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    if(file MATCHES "\\.md$")
        string(REGEX REPLACE "`[^`\n]+`" "" text "${text}") # code within a sentence
    endif()
    string(REPLACE "[" "@<" text "${text}") # which groups elements in a list of CMake
    string(REPLACE "]" "@>" text "${text}")
    # From each co_await to the end of its statement, or to the first brace.
    string(REGEX MATCHALL "co_await [^;{}]*[;{]" awaits "${text}")
    foreach(await IN LISTS awaits)
        # What follows a parenthesis or a bracket is a block, or the body of a lambda.
        if(await MATCHES "{$" AND NOT await MATCHES "(\\)|@>|-> [a-z_:<>]+)[ \n]*{$")
            string(REGEX REPLACE "[ \n]+" " " await "${await}")
            string(APPEND problems "  ${file}: ${await}: name the value on the line before\n")
        endif()
    endforeach()
    # A loop that does nothing but wait: gcc 12 never starts what it waits for.
    string(REGEX MATCHALL "while \\([^;{}]*co_await [^;{}]*\\)[ \n]*{[ \n]*}" loops "${text}")
    foreach(loop IN LISTS loops)
        string(REGEX REPLACE "[ \n]+" " " loop "${loop}")
        string(APPEND problems "  ${file}: ${loop}: put a statement into the loop\n")
    endforeach()
    list(LENGTH awaits found)
    math(EXPR count "${count} + ${found}")
endforeach()

if(problems OR count EQUAL 0)
    message(FATAL_ERROR "Braces in a co_await expression (of ${count}):\n${problems}")
endif()
message(STATUS "${count} co_await expressions without braces")
