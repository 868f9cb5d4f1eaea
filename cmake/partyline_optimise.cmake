# Optimisation that costs build time: at link time, and by a profile. Only the library and the programs that are made of
# it take part; the yardstick and the client of partyline-bench stay as they are.

option(PARTYLINE_LTO "Optimise at link time too; the installed archive serves programs with and without it" OFF)
set(PARTYLINE_PGO "" CACHE STRING
    "Optimise by a profile: `use` has it written first, by a build of its own with `train`; empty: do without")
set(PARTYLINE_PROFILE ${PROJECT_BINARY_DIR}/profile CACHE PATH "Folder of the profile")
set_property(CACHE PARTYLINE_PGO PROPERTY STRINGS "" train use)
mark_as_advanced(PARTYLINE_PROFILE)
set(partyline_trained ${PARTYLINE_PROFILE}/trained) # is newer than the profile's files

if(PARTYLINE_LTO)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT has_lto OUTPUT why LANGUAGES CXX)
    if(NOT has_lto)
        message(FATAL_ERROR "PARTYLINE_LTO: this compiler can't optimise at link time: ${why}")
    endif()
endif()

if(PARTYLINE_PGO)
    if(NOT PARTYLINE_PGO MATCHES "^(train|use)$")
        message(FATAL_ERROR "PARTYLINE_PGO is `${PARTYLINE_PGO}`; it can be `train`, `use` or empty.")
    elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        message(FATAL_ERROR "PARTYLINE_PGO needs g++; this is ${CMAKE_CXX_COMPILER_ID}.")
    endif()
    # Neither knows that what a source compiles to depends on the profile.
    set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
    set(CMAKE_CXX_COMPILER_LAUNCHER "")
endif()

# The inner build has the same sources and the same objects; it is asked each time, and trains when a program has
# changed.
if(PARTYLINE_PGO STREQUAL "use")
    include(ExternalProject)
    string(REPLACE ";" "|" prefix_path "${CMAKE_PREFIX_PATH}")
    ExternalProject_Add(partyline_training
        SOURCE_DIR ${PROJECT_SOURCE_DIR}
        BINARY_DIR ${PROJECT_BINARY_DIR}/training
        PREFIX ${PROJECT_BINARY_DIR}/training/steps
        LIST_SEPARATOR "|"
        CMAKE_ARGS
            -D CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -D CMAKE_PREFIX_PATH=${prefix_path}
            -D CMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -D CMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}
            -D CMAKE_CXX_FLAGS_RELEASE=${CMAKE_CXX_FLAGS_RELEASE}
            -D PARTYLINE_BUILD_APPS=ON -D PARTYLINE_BUILD_TESTS=OFF
            -D PARTYLINE_PGO=train -D PARTYLINE_PROFILE=${PARTYLINE_PROFILE}
        BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR> --target partyline_profile
        BUILD_ALWAYS ON
        BUILD_BYPRODUCTS ${partyline_trained}
        INSTALL_COMMAND ""
        USES_TERMINAL_BUILD ON)
endif()

# Programs of all threads count in the same places. Objects go by their place in the build folder, whichever it is.
set(profile_place -fprofile-prefix-path=${PROJECT_BINARY_DIR})
set(profile_train -fprofile-generate=${PARTYLINE_PROFILE} -fprofile-update=prefer-atomic ${profile_place})
# What was not trained, such as sockets, is compiled as without a profile.
set(profile_use -fprofile-use=${PARTYLINE_PROFILE} ${profile_place} -fprofile-partial-training -Wno-missing-profile)

# The archive has both, for linkers that are to optimise and for those that are not.
function(partyline_optimise_at_link_time target)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -ffat-lto-objects)
    endif()
endfunction()

# partyline_optimise(target): to be called where the target is made, after it has its sources.
function(partyline_optimise target)
    if(PARTYLINE_LTO)
        partyline_optimise_at_link_time(${target})
    endif()
    if(PARTYLINE_PGO STREQUAL "train")
        target_compile_options(${target} PRIVATE ${profile_train})
        target_link_options(${target} PUBLIC -fprofile-generate)
    elseif(PARTYLINE_PGO STREQUAL "use")
        target_compile_options(${target} PRIVATE ${profile_use})
        get_target_property(sources ${target} SOURCES)
        set_source_files_properties(${sources} PROPERTIES OBJECT_DEPENDS ${partyline_trained})
        add_dependencies(${target} partyline_training)
    endif()
endfunction()
