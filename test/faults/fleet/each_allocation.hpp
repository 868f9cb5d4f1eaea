#pragma once

#include "fleet/moment.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <new>

namespace partyline::test {

inline constexpr fleet::moment beginning{std::chrono::steady_clock::time_point(std::chrono::hours(1)),
                                         std::chrono::system_clock::time_point(std::chrono::hours(24 * 365 * 50))};

inline fleet::moment after(fleet::moment from, std::chrono::milliseconds time)
{
    return {from.steady + time, from.wall + time};
}

/// As the services take it: what there is no memory for has not happened.
template <class Step>
void attempt(Step step)
{
    try {
        step();
    } catch (const std::bad_alloc&) {
    }
}

/// Performs it with each allocation failing in turn; returns how many there are.
template <class Perform>
std::size_t fail_each(Perform perform)
{
    for (std::size_t n = 1;; ++n) {
        BOOST_TEST_CONTEXT("allocation " << n)
        {
            if (!perform(n))
                return n - 1;
        }
    }
}

} // namespace partyline::test
