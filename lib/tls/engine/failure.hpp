#pragma once

#include <partyline/tls/error.hpp>

#include <memory>
#include <new>

namespace partyline::tls {

/// What the calls of this thread have failed with since the last `forget_failures()`: what came first, which is the
/// cause of the rest. No error: OpenSSL knows none.
error_code take_failure() noexcept;

/// To be called before what `take_failure()` is to explain: what other users of OpenSSL have left is none of it.
void forget_failures() noexcept;

/// For what OpenSSL makes and only fails to for want of memory.
template <class Owner>
Owner made(Owner object)
{
    if (!object)
        throw std::bad_alloc();
    return object;
}

} // namespace partyline::tls
