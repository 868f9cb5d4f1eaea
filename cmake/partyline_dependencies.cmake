# What the library itself needs. The programs and the tests ask for their own components.

find_package(Threads)
if(NOT Threads_FOUND)
    message(FATAL_ERROR "partyline needs threads of the system, which this compiler can't link: install the C library's development files (Debian: libc6-dev), "
        "or see the logs in ${CMAKE_BINARY_DIR}/CMakeFiles.")
endif()
include(CheckCXXSourceCompiles)

# Our programs take Boost's libraries in where that can be had: they start quicker, and calls into Boost.JSON are direct
# ones (measured: an echo takes 4 % fewer instructions). Who links the library decides for themselves.
macro(partyline_take_in component)
    if(PROJECT_IS_TOP_LEVEL AND NOT BUILD_SHARED_LIBS AND NOT DEFINED Boost_USE_STATIC_LIBS)
        set(Boost_USE_STATIC_LIBS ON)
        find_package(Boost 1.81 QUIET CONFIG OPTIONAL_COMPONENTS ${component})
        unset(Boost_USE_STATIC_LIBS)
    endif()
endmacro()

# What the programs need, ours that are installed and those that tests measure with. A folder knows what it has asked
# for.
macro(partyline_find_program_options)
    partyline_take_in(program_options)
    if(NOT TARGET Boost::program_options)
        find_package(Boost 1.81 QUIET CONFIG COMPONENTS program_options)
    endif()
    if(NOT TARGET Boost::program_options)
        message(FATAL_ERROR "The programs need Boost.ProgramOptions: on Debian 12 install libboost-program-options1.81-dev. Who needs none "
            "of them sets PARTYLINE_BUILD_APPS and PARTYLINE_BUILD_TESTS to OFF.")
    endif()
endmacro()

# Whether a program has Boost within it. A shared library would bring the C++ library that a program has already.
function(partyline_has_taken_in out)
    set(${out} TRUE PARENT_SCOPE)
    foreach(library IN ITEMS Boost::json Boost::program_options)
        get_target_property(type ${library} TYPE)
        if(NOT type STREQUAL "STATIC_LIBRARY")
            set(${out} FALSE PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# Takes the C++ library in, too: most of the time until a program runs is the dynamic linker's, for that library's
# symbols.
# With telemetry a program has that shared library: then none of it is taken in, since exceptions and streams pass
# between both. Static programs have all taken in; by -static-libstdc++, too, g++ would link those that crash at once.
function(partyline_start_quickly target)
    partyline_has_taken_in(has_boost)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    set(has_telemetry OFF)
    if(PARTYLINE_BUILD_TELEMETRY AND libraries MATCHES "partyline_(observer|tools|gateway)")
        set(has_telemetry ON)
    endif()
    if(NOT has_boost OR PARTYLINE_SANITIZE OR PARTYLINE_STATIC_PROGRAMS OR has_telemetry)
        return()
    endif()
    set(options -static-libstdc++ -static-libgcc)
    set(CMAKE_REQUIRED_LINK_OPTIONS ${options})
    check_cxx_source_compiles("#include <string>\nint main(int n, char**) { return std::string(n, 'x').size() == 0; }"
        PARTYLINE_HAS_STATIC_CXX_LIBRARY)
    if(PARTYLINE_HAS_STATIC_CXX_LIBRARY)
        target_link_options(${target} PRIVATE ${options})
    endif()
endfunction()

# A Boost that is there already, such as one that FetchContent has got, is taken as it is; config.hpp checks its
# version.
if(NOT TARGET Boost::json)
    partyline_take_in(json)
endif()
if(NOT TARGET Boost::json)
    find_package(Boost 1.81 QUIET CONFIG COMPONENTS json)
endif()
if(NOT TARGET Boost::json)
    message(FATAL_ERROR
        "partyline needs Boost 1.81 or newer with Boost.JSON. On Debian 12 the default packages are older: install "
        "libboost1.81-dev and libboost-json1.81-dev, or let `bash cmake/setup.sh demo` do it. "
        "For a Boost elsewhere set CMAKE_PREFIX_PATH.")
endif()

# A shared library of ours can't have Boost's archive within it.
if(PARTYLINE_BUILD_BOTH)
    find_library(PARTYLINE_SHARED_BOOST_JSON NAMES libboost_json.so.${Boost_VERSION} libboost_json.so HINTS ${Boost_LIBRARY_DIRS})
    mark_as_advanced(PARTYLINE_SHARED_BOOST_JSON)
    if(NOT PARTYLINE_SHARED_BOOST_JSON)
        message(FATAL_ERROR "PARTYLINE_BUILD_BOTH needs the shared library of Boost.JSON ${Boost_VERSION}: on Debian 12 install "
            "libboost-json1.81-dev.")
    endif()
endif()

# Libraries of a Boost that is built along have their headers each in a folder of its own.
set(partyline_boost Boost::json)
foreach(name IN ITEMS asio describe intrusive mp11 system)
    if(TARGET Boost::${name} AND NOT TARGET Boost::headers)
        list(APPEND partyline_boost $<BUILD_INTERFACE:Boost::${name}>)
    endif()
endforeach()

# The metrics of partyline::telemetry: its core alone, without its HTTP server.
if(PARTYLINE_BUILD_TELEMETRY)
    find_package(prometheus-cpp QUIET CONFIG)
    if(NOT TARGET prometheus-cpp::core)
        message(FATAL_ERROR "partyline::telemetry needs prometheus-cpp: on Debian and Ubuntu install prometheus-cpp-dev; who does without it sets "
            "PARTYLINE_BUILD_TELEMETRY to OFF.")
    endif()
endif()

# The client of NATS that partyline::fleet is made on.
if(PARTYLINE_BUILD_FLEET)
    find_package(partyline_nats QUIET)
    if(NOT TARGET nats::nats)
        message(FATAL_ERROR "partyline::fleet needs libnats 3.3 or newer: on Debian and Ubuntu install libnats-dev; who does without it sets "
            "PARTYLINE_BUILD_FLEET to OFF.")
    endif()
    if(NOT PARTYLINE_BUILD_HTTP)
        message(FATAL_ERROR "partyline::fleet needs partyline::http: set PARTYLINE_BUILD_HTTP to ON, or PARTYLINE_BUILD_FLEET to OFF.")
    endif()
endif()

# What partyline::access verifies and partyline::mcp signs by, the opening of a WebSocket needs, and partyline::tls is
# made of.
if(PARTYLINE_BUILD_ACCESS OR PARTYLINE_BUILD_MCP OR PARTYLINE_BUILD_HTTP OR PARTYLINE_BUILD_TLS)
    if(PARTYLINE_STATIC_PROGRAMS)
        set(OPENSSL_USE_STATIC_LIBS ON)
    endif()
    find_package(OpenSSL 3 QUIET COMPONENTS Crypto SSL)
    if(NOT OpenSSL_FOUND)
        message(FATAL_ERROR
            "partyline::access, partyline::mcp, partyline::http and partyline::tls need OpenSSL 3. On Debian and Ubuntu install "
            "libssl-dev; who does without all four, and without the programs and tests that need them, sets "
            "PARTYLINE_BUILD_ACCESS, PARTYLINE_BUILD_MCP, PARTYLINE_BUILD_HTTP, PARTYLINE_BUILD_TLS, PARTYLINE_BUILD_APPS and PARTYLINE_BUILD_TESTS to OFF.")
    endif()
endif()
