# partyline_tell_missing(is_package): where a target of this folder links a component that is not there, ends with a
# sentence that says how to get it; CMake itself would say no more than that there is no such target. To be called when
# the folder has been read to its end. `is_package`: what is there is what find_package was asked for.
function(partyline_tell_missing is_package)
    set(known access fleet http mcp mcp_extensions mcp_test partyline telemetry tls)
    get_directory_property(targets BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(linked ${target} LINK_LIBRARIES)
        foreach(library IN LISTS linked)
            if(NOT library MATCHES "^partyline::([A-Za-z0-9_-]+)$" OR TARGET ${library})
                continue()
            endif()
            set(component ${CMAKE_MATCH_1})
            if(NOT component IN_LIST known)
                list(JOIN known ", " known)
                message(FATAL_ERROR "${target} links ${library}, which is no component of partyline: there are ${known}.")
            elseif(is_package)
                message(FATAL_ERROR "${target} links ${library}, and find_package was not asked for it: "
                    "find_package(partyline REQUIRED COMPONENTS ${component}).")
            endif()
            string(TOUPPER "${component}" option)
            string(REGEX REPLACE "_(EXTENSIONS|TEST)$" "" option "${option}")
            message(FATAL_ERROR "${target} links ${library}, which is not built as part of another project unless told so: "
                "set(PARTYLINE_BUILD_${option} ON) before partyline is added.")
        endforeach()
    endforeach()
endfunction()
