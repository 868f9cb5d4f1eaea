#pragma once

#include <partyline/config.hpp>

#include <stdexcept>

namespace partyline::test {

/// An event that the test kit waits for has not come within its time limit. The text names the event, and lists the
/// calls in flight.
class PARTYLINE_EXPORT timed_out : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A call whose error is wanted was answered with a result. The text has the result.
class PARTYLINE_EXPORT unexpected_result : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace partyline::test
