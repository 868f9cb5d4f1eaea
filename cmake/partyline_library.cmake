# What all libraries that users link have in common, and the second kind of them.

# Shared libraries find each other in any build folder, so that their bytes don't depend on its path.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

# partyline_library(target): to be called where the library is made, after it has its sources. Position independent, so
# that plugins can link the archives; as a shared library it shows what is marked by PARTYLINE_EXPORT and nothing else.
# Its bytes don't depend on where it was compiled.
function(partyline_library target)
    set_target_properties(${target} PROPERTIES
        POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_compile_options(${target} PRIVATE -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Nobody is to put a function of theirs in place of one of ours, so calls within a library go straight there.
        target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    endif()
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "SHARED_LIBRARY")
        partyline_shared_library(${target})
    endif()
endfunction()

# The symbols of ours have a version. Those of Asio, which all that use it in a process have to share, have none.
function(partyline_shared_library target)
    set(script ${PROJECT_BINARY_DIR}/partyline.map)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/partyline.map.in ${script} @ONLY)
    set_target_properties(${target} PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${PARTYLINE_SOVERSION} LINK_DEPENDS ${script})
    if(NOT APPLE)
        target_link_options(${target} PRIVATE -Wl,--version-script=${script})
    endif()
    partyline_harden(${target})
endfunction()

# partyline_library_twin(target PUBLIC libraries PRIVATE libraries): the shared library of a static one.
function(partyline_library_twin target)
    if(NOT PARTYLINE_BUILD_BOTH)
        return()
    endif()
    set(twin ${target}_shared)
    get_target_property(exported ${target} EXPORT_NAME)
    if(NOT exported)
        set(exported ${target})
    endif()
    add_library(${twin} SHARED $<TARGET_OBJECTS:${target}>)
    set_target_properties(${twin} PROPERTIES
        OUTPUT_NAME ${target} EXPORT_NAME ${exported} LINKER_LANGUAGE CXX)
    target_include_directories(${twin} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_features(${twin} INTERFACE cxx_std_20)
    target_link_libraries(${twin} ${ARGN})
    partyline_shared_library(${twin})
endfunction()
