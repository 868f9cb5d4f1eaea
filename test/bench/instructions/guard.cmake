# Compares one path with what is recorded for this machine: cmake -D path=<path> (see counting.cmake) -P guard.cmake
include(${CMAKE_CURRENT_LIST_DIR}/counting.cmake)

if(NOT valgrind)
    message("instructions skipped: there was no valgrind when this was configured")
    return()
endif()
describe_machine(machine)
file(READ ${record} json)
string(JSON recorded ERROR_VARIABLE missing GET "${json}" machines "${machine}" ${path})
if(missing)
    message("instructions skipped: nothing recorded for \"${path}\" with \"${machine}\"")
    return()
endif()

count_path(${path} measured)
string(JSON tolerance GET "${json}" tolerance_percent)
math(EXPR permille "(${measured} - ${recorded}) * 1000 / ${recorded}")
math(EXPR allowed "${tolerance} * 10")
string(REGEX REPLACE "^(-?)(.)$" "\\10\\2" percent ${permille}) # 5 is 0.5 %
string(REGEX REPLACE "(.)$" ".\\1 %" percent ${percent})

set(renewal "cmake --build <build folder> --target record_instructions, and commit recorded.json with the reason")
message("${path}: ${measured} instructions a request, recorded are ${recorded}: ${percent} (${tolerance} % more fail)")
if(permille GREATER allowed)
    message(FATAL_ERROR "${path} takes more instructions than recorded. "
        "Where that is the price of something worth it: ${renewal}.")
elseif(permille LESS -${allowed})
    message("That is better than recorded. To keep it: ${renewal}.")
endif()
