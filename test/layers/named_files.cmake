# Every file that lib/README.md names is there.
cmake_minimum_required(VERSION 3.25)

file(READ "${root}/lib/README.md" text)
string(REGEX MATCHALL "`[a-z0-9_/]+(\\.[ch]pp)?`" names "${text}")
set(count 0)
foreach(name IN LISTS names)
    string(REPLACE "`" "" name "${name}")
    if(NOT name MATCHES "/")
        continue() # a word, not a path
    endif()
    math(EXPR count "${count} + 1")
    if(NOT EXISTS "${root}/lib/${name}" AND NOT EXISTS "${root}/${name}")
        message(SEND_ERROR "lib/README.md names what is not there: ${name}")
    endif()
endforeach()
if(count LESS 20)
    message(SEND_ERROR "only ${count} paths found in lib/README.md: has its form changed?")
endif()
