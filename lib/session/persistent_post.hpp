#pragma once

#include <boost/asio/post.hpp>

#include <new>

namespace partyline {

// To post takes memory. When there is none a second attempt mostly finds what unwinding the first one has given back,
// and without it who waits for what is posted would wait for ever.

template <class Attempt>
void try_twice(Attempt attempt)
{
    try {
        attempt();
    } catch (const std::bad_alloc&) {
        attempt();
    }
}

/// Posts what somebody waits for.
template <class Executor, class Function>
void post_persistently(const Executor& executor, const Function& function)
{
    try_twice([&] { boost::asio::post(executor, Function(function)); });
}

} // namespace partyline
