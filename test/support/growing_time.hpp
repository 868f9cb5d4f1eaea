#pragma once

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>

namespace partyline::test {

/// Does something with more and more time for it, until a machine at its limits was quick enough for what is to be
/// seen: `attempt` returns whether it was, and checks only what holds however slow the machine is.
inline void with_growing_time(std::chrono::milliseconds time,
                              const std::function<bool(std::chrono::milliseconds)>& attempt)
{
    while (!attempt(time)) {
        time *= 2;
        BOOST_REQUIRE(time < std::chrono::seconds(10));
    }
}

} // namespace partyline::test
