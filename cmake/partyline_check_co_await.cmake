# partyline_check_co_await(target...): has each target's own C++ sources and headers checked before it is built, for
# what g++ 12 compiles into a double free: see check_co_await.py. For every compiler, since others may build with that
# one. By itself: cmake --build . --target <target>_check_co_await. To be called when the target has all its sources;
# those that generator expressions name are left out.
function(partyline_check_co_await)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    foreach(target IN LISTS ARGN)
        get_target_property(folder ${target} SOURCE_DIR)
        set(files)
        foreach(property IN ITEMS SOURCES HEADER_SET)
            get_target_property(some ${target} ${property})
            if(some)
                list(APPEND files ${some})
            endif()
        endforeach()
        list(FILTER files INCLUDE REGEX "\\.(cpp|cc|cxx|c\\+\\+|hpp|hh|hxx|h|ipp|inl)$")
        list(FILTER files EXCLUDE REGEX "\\$<")
        get_target_property(made ${target} BINARY_DIR)
        set(paths)
        foreach(file IN LISTS files)
            if(NOT IS_ABSOLUTE "${file}" AND NOT EXISTS "${folder}/${file}") # it will be generated
                set(file "${made}/${file}")
            elseif(NOT IS_ABSOLUTE "${file}")
                set(file "${folder}/${file}")
            endif()
            list(APPEND paths "${file}")
        endforeach()
        set(files ${paths})
        if(NOT files)
            message(FATAL_ERROR "partyline_check_co_await: ${target} has no C++ sources")
        endif()
        set(done ${CMAKE_CURRENT_BINARY_DIR}/${target}_check_co_await.done)
        add_custom_command(OUTPUT ${done}
            COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_co_await.py ${files}
            COMMAND ${CMAKE_COMMAND} -E touch ${done}
            DEPENDS ${files} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_co_await.py
            COMMENT "Checking the co_await expressions of ${target}" VERBATIM)
        add_custom_target(${target}_check_co_await DEPENDS ${done})
        add_dependencies(${target} ${target}_check_co_await)
    endforeach()
endfunction()
