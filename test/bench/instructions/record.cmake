# Records what every path takes on this machine: see the target record_instructions.
include(${CMAKE_CURRENT_LIST_DIR}/counting.cmake)

if(NOT valgrind)
    message(FATAL_ERROR "there was no valgrind when this was configured")
endif()
describe_machine(machine)
message("${machine}")
set(figures "{}")
foreach(path IN LISTS paths)
    count_path(${path} measured)
    message("${path}: ${measured} instructions a request")
    string(JSON figures SET "${figures}" ${path} ${measured})
endforeach()

file(READ ${record} json)
string(JSON json SET "${json}" machines "${machine}" "${figures}")
file(WRITE ${record} "${json}\n")
