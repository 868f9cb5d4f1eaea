# What makes the programs and the tests compile in less time. Nothing of it changes what they do.

# Whether the libraries tell libFuzzer which branches were taken: where it is there, beside the sanitizer of what it
# looks for.
set(PARTYLINE_FUZZING OFF)
if(PARTYLINE_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(PARTYLINE_FUZZING ON)
endif()
# lld links a program in a quarter of the time, and there are a hundred. What is shipped has the linker that the
# compiler comes with.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    include(CheckLinkerFlag)
    unset(PARTYLINE_HAS_LLD CACHE) # it may have been installed, or removed, since
    check_linker_flag(CXX -fuse-ld=lld PARTYLINE_HAS_LLD)
    if(PARTYLINE_HAS_LLD)
        add_link_options(-fuse-ld=lld)
    endif()
endif()

option(PARTYLINE_UNITY "Compile many sources at a time: quicker from nothing, slower after a change" OFF)

# partyline_compile_together(target batch): compiles so many sources of a target at a time, which takes about half the
# time, with PARTYLINE_UNITY. Else each source is compiled by itself, so that a name that is only known from another
# source shows there.
function(partyline_compile_together target batch)
    if(NOT PARTYLINE_UNITY)
        return()
    endif()
    # Many test sources have a `fixture` of their own: with this each gets another name.
    set_target_properties(${target} PROPERTIES
        UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch} UNITY_BUILD_UNIQUE_ID fixture)
    # What a source keeps to itself is no less its own for being compiled with others.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# partyline_compile_library_together(target batch): the same for a library of ours. gcc inlines less in a large unit:
# without the parameter a request takes 7 % more instructions, with it as few as source by source. gcc 12 warns of a
# std::optional of which it no longer sees the flag.
function(partyline_compile_library_together target batch)
    partyline_compile_together(${target} ${batch})
    if(PARTYLINE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE
            $<$<CONFIG:Release>:--param=large-unit-insns=10000000> $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
    endif()
    if(PARTYLINE_FUZZING)
        # The presets have -O0, at which all compiles in half the time, but inputs are tried at a third of the speed.
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link -O1)
    endif()
endfunction()

# partyline_compile_alone(sources...): for sources whose names mean something else in another source of their target.
function(partyline_compile_alone)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# One precompiled header for all programs that are no Boost.Test programs.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/program_pch.cpp CONTENT "")
add_library(partyline_program_pch OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/program_pch.cpp)
target_link_libraries(partyline_program_pch PRIVATE partyline::partyline partyline_warnings)
target_precompile_headers(partyline_program_pch PRIVATE
    <boost/asio/any_io_executor.hpp> <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp> <boost/asio/io_context.hpp>
    <boost/asio/steady_timer.hpp> <boost/asio/use_awaitable.hpp> <boost/json.hpp>
    <functional> <map> <string> <vector>
)

# partyline_compile_quickly(target): for a program of ours, or a library of its parts.
function(partyline_compile_quickly target)
    target_precompile_headers(${target} REUSE_FROM partyline_program_pch)
    partyline_compile_together(${target} 20)
endfunction()
