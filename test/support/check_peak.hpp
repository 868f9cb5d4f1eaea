#pragma once

#include "support/mebibyte.hpp"
#include "support/sanitized.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>

namespace partyline::test {

/// Whether a program has taken no more bytes than that. Its own code takes more where it is not optimised; what a
/// sanitizer takes is not judged.
inline void check_peak(std::size_t peak, std::size_t most)
{
#ifndef NDEBUG
    most += 4 * mebibyte;
#endif
    BOOST_TEST_MESSAGE("peak " << peak / 1024 << " KiB");
    if (!is_sanitized)
        BOOST_TEST(peak <= most);
}

} // namespace partyline::test
