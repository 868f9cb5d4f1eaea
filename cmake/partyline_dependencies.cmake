# What the library itself needs. The programs and the tests ask for their own components.

find_package(Threads REQUIRED)
find_package(Boost 1.81 CONFIG COMPONENTS json)
if(NOT Boost_FOUND)
    message(FATAL_ERROR
        "partyline needs Boost 1.81 or newer with Boost.JSON. On Debian 12 the default packages are older: install "
        "libboost1.81-dev and libboost-json1.81-dev, or let `bash cmake/setup.sh demo` do it. "
        "For a Boost elsewhere set CMAKE_PREFIX_PATH.")
endif()
