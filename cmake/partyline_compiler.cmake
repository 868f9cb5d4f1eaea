# Compiler floor, warnings, sanitizers and compiler cache. Nothing of this reaches the exported target.

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
        OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16))
    message(FATAL_ERROR
        "partyline needs C++20 coroutines: g++ 12 or clang 16 at least. This is ${CMAKE_CXX_COMPILER} "
        "(${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}). Name another by CXX=..., with the build folder removed.")
endif()

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
    message(FATAL_ERROR "partyline is built by g++ 12 or clang 16, or newer ones. This is ${CMAKE_CXX_COMPILER} "
        "(${CMAKE_CXX_COMPILER_ID}). Name another by CXX=..., with the build folder removed.")
endif()

set(CMAKE_CXX_EXTENSIONS OFF)

# Programs are position independent. Where that is not the compiler's default, as it is Debian's, all that is compiled
# gets the flag, since programs link archives and share precompiled headers; the -fPIC of libraries comes after it, and
# so do flags of the user. Who has to link archives that are not made for it sets CMAKE_POSITION_INDEPENDENT_CODE=OFF.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    include(CheckCXXSourceCompiles)
    check_cxx_source_compiles("
        #ifndef __PIE__
        #error not position independent
        #endif
        int main() {}" PARTYLINE_HAS_PIE_BY_DEFAULT)
    if(NOT PARTYLINE_HAS_PIE_BY_DEFAULT)
        string(PREPEND CMAKE_CXX_FLAGS "-fPIE ")
    endif()
endif()

# Linked privately by every target of the project.
add_library(partyline_warnings INTERFACE)
target_compile_options(partyline_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # gcc 12 at -O2 sees overlaps and overruns inside std::string that are not there (PR 105329, PR 105651).
    target_compile_options(partyline_warnings INTERFACE
        -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# Sources that are compiled together see each other's names.
target_compile_options(partyline_warnings INTERFACE $<$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>:-Wno-shadow>)
if(PARTYLINE_WERROR)
    target_compile_options(partyline_warnings INTERFACE -Werror)
endif()

# partyline_harden(target): links a program or a shared library as position independent, and with full RELRO: the
# dynamic linker resolves all symbols at the start, and makes its tables read-only. Measured: partyline-echo with
# telemetry starts with 6.9 million instructions in place of 6.5; the medians of 401 interleaved runs do not show it.
function(partyline_harden target)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE" AND PARTYLINE_STATIC_PROGRAMS)
        # Without the property, for which CMake links by -pie, or by -no-pie: of these three the last one counts.
        set_property(TARGET ${target} PROPERTY POSITION_INDEPENDENT_CODE)
        target_link_options(${target} PRIVATE -static-pie)
    elseif(type STREQUAL "EXECUTABLE" AND NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    if(NOT APPLE)
        target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now)
    endif()
endfunction()

if(PARTYLINE_SANITIZE MATCHES "address" AND PARTYLINE_SANITIZE MATCHES "thread")
    message(FATAL_ERROR "PARTYLINE_SANITIZE: address and thread exclude each other; build twice, as the presets asan and tsan do.")
endif()
if(PARTYLINE_SANITIZE)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS -fsanitize=${PARTYLINE_SANITIZE})
    string(MAKE_C_IDENTIFIER PARTYLINE_HAS_${PARTYLINE_SANITIZE} has_sanitizer)
    check_cxx_source_compiles("int main() {}" ${has_sanitizer})
    unset(CMAKE_REQUIRED_FLAGS)
    if(NOT ${has_sanitizer})
        message(FATAL_ERROR "PARTYLINE_SANITIZE: ${CMAKE_CXX_COMPILER} has no -fsanitize=${PARTYLINE_SANITIZE}, or its libraries "
            "are not installed.")
    endif()
    add_compile_options(-fsanitize=${PARTYLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${PARTYLINE_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # The checks that a sanitizer inserts confuse gcc's flow analysis, and at -O1 it inlines one half only of how
        # Asio allocates and frees the frames of coroutines.
        target_compile_options(partyline_warnings INTERFACE -Wno-maybe-uninitialized -Wno-mismatched-new-delete)
    endif()
    if(PARTYLINE_SANITIZE MATCHES "thread")
        # Asio counts references with fences, which ThreadSanitizer does not see; without std::atomic it does without
        # them.
        add_compile_definitions(BOOST_ASIO_DISABLE_STD_ATOMIC)
    endif()
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT PARTYLINE_PGO AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(PARTYLINE_CCACHE ccache)
    mark_as_advanced(PARTYLINE_CCACHE)
    if(PARTYLINE_CCACHE)
        # Without these two, ccache passes on everything that uses a precompiled header.
        set(CMAKE_CXX_COMPILER_LAUNCHER
            ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${PARTYLINE_CCACHE})
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            add_compile_options(-fpch-preprocess)
        endif()
    endif()
endif()
