# What the library itself needs. The programs and the tests ask for their own components.

find_package(Threads REQUIRED)
# Our programs take Boost.JSON in where that can be had: they start quicker, and calls into it are direct ones (measured: an
# echo takes 4 % fewer instructions). Who links the library decides for themselves.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED Boost_USE_STATIC_LIBS)
    set(Boost_USE_STATIC_LIBS ON)
    find_package(Boost 1.81 QUIET CONFIG OPTIONAL_COMPONENTS json)
    unset(Boost_USE_STATIC_LIBS)
endif()
if(NOT TARGET Boost::json)
    find_package(Boost 1.81 CONFIG COMPONENTS json)
endif()
if(NOT Boost_FOUND)
    message(FATAL_ERROR
        "partyline needs Boost 1.81 or newer with Boost.JSON. On Debian 12 the default packages are older: install "
        "libboost1.81-dev and libboost-json1.81-dev, or let `bash cmake/setup.sh demo` do it. "
        "For a Boost elsewhere set CMAKE_PREFIX_PATH.")
endif()
