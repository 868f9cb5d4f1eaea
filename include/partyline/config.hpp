#pragma once

// The version of partyline, its requirements of the compiler and of Boost, and the macro for exported symbols.

/// MAJOR * 10000 + MINOR * 100 + PATCH, to compare with.
#define PARTYLINE_VERSION 200
/// The version as text.
#define PARTYLINE_VERSION_STRING "0.2.0"

/// Marks the symbols that the shared libraries export: all others are hidden.
#define PARTYLINE_EXPORT [[gnu::visibility("default")]]

#if !defined(__cplusplus) || __cplusplus < 202002L
#error                                                                                                                 \
    "partyline needs C++20: compile with -std=c++20 or newer; in CMake, target_compile_features(<target> PRIVATE cxx_std_20)"
#elif !defined(__unix__) && !defined(__APPLE__)
#error "partyline needs a POSIX system, such as Linux: it talks over descriptors, and starts processes"
#elif __SIZEOF_SIZE_T__ < 8
#error "partyline needs a 64-bit system: std::size_t has 32 bits here; on x86, compile without -m32"
#elif !defined(__clang__) && defined(__GNUC__) && __GNUC__ < 12
#error "partyline needs g++ 12 or newer"
#elif defined(__clang__) && __clang_major__ < 16
#error "partyline needs clang 16 or newer"
#elif !defined(__cpp_impl_coroutine)
#error "partyline needs coroutines: compile without -fno-coroutines"
#elif !defined(__cpp_exceptions)
#error "partyline needs exceptions: compile without -fno-exceptions"
#elif !defined(__cpp_rtti)
#error "partyline needs run-time type information: compile without -fno-rtti"
#elif !__has_include(<boost/version.hpp>)
#error "partyline needs Boost 1.81 or newer, and there is none in the include path; Debian 12: libboost1.81-dev"
#elif !__has_include(<boost/json/value.hpp>)
#error "partyline needs Boost.JSON, which this Boost comes without; Debian 12: libboost-json1.81-dev"
#endif

#include <boost/version.hpp>
#if BOOST_VERSION < 108100
#error "partyline needs Boost 1.81 or newer, and an older one is in the include path; Debian 12: libboost1.81-dev"
#endif
