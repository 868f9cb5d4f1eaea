# Checks that we include no Boost header that may be gone in another version than ours:
# cmake -D root=<tree> -P check_boost_headers.cmake
cmake_minimum_required(VERSION 3.25)

# Headers of Boost 1.81 that are gone in 1.92, of the libraries that we use.
set(removed
    "asio/(handler_alloc_hook|handler_invoke_hook|io_service|io_service_strand|ssl/rfc2818_verification)"
    "asio/execution/(bulk_execute|bulk_guarantee|connect|execute|operation_state|receiver|receiver_invocation_error)"
    "asio/execution/(schedule|scheduler|sender|set_done|set_error|set_value|start|submit)"
    "asio/experimental/(append|as_tuple|deferred|prepend)"
    "asio/traits/(bulk_execute|connect|execute|schedule|set_done|set_error|set_value|start|submit)_(free|member)"
    "json/(memory_resource|system_error)"
    "system/cygwin_error")

# Why a header is not to be included; empty when it may be. `name` is what stands behind boost/.
function(objection name out)
    set(why "")
    if(name MATCHES "(^|/)(detail|impl)/")
        set(why "not for users of Boost: it changes without notice")
    endif()
    foreach(pattern IN LISTS removed)
        if(name MATCHES "^${pattern}\\.hpp$")
            set(why "later versions of Boost do not have it")
        endif()
    endforeach()
    set(${out} "${why}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files RELATIVE "${root}" "${root}/include/*.hpp" "${root}/lib/*.[hc]pp" "${root}/apps/*.[hc]pp"
    "${root}/test/*.[hc]pp" "${root}/README.md" "${root}/apps/guide/*.md")
set(count 0)
set(problems "")
foreach(file IN LISTS files)
    file(STRINGS "${root}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]boost/")
    foreach(line IN LISTS lines)
        string(REGEX MATCH "boost/([^>\"]*)" header "${line}")
        objection("${CMAKE_MATCH_1}" why)
        if(why)
            string(APPEND problems "  ${file}: ${header}: ${why}\n")
        endif()
        math(EXPR count "${count} + 1")
    endforeach()
endforeach()

if(problems OR count EQUAL 0)
    message(FATAL_ERROR "Boost headers that are not to be included (of ${count}):\n${problems}")
endif()
message(STATUS "${count} includes of Boost headers that last")
