#pragma once

#include "support/descriptors.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>

namespace partyline::test {

/// The soft limit of this process's descriptors is what it is set to, as long as this lives.
class descriptor_limit {
public:
    descriptor_limit() { checked(::getrlimit(RLIMIT_NOFILE, &before_), "getrlimit"); }
    ~descriptor_limit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    descriptor_limit(const descriptor_limit&) = delete;
    descriptor_limit& operator=(const descriptor_limit&) = delete;

    void set(rlim_t count) const
    {
        const rlimit now{count, before_.rlim_max};
        checked(::setrlimit(RLIMIT_NOFILE, &now), "setrlimit");
    }
    rlim_t hard() const { return before_.rlim_max; }

private:
    rlimit before_{};
};

/// A precondition: some sandboxes refuse each change of a limit.
inline boost::test_tools::assertion_result can_set_descriptor_limit(boost::unit_test::test_unit_id)
{
    rlimit present{};
    boost::test_tools::assertion_result can(::getrlimit(RLIMIT_NOFILE, &present) == 0 &&
                                            ::setrlimit(RLIMIT_NOFILE, &present) == 0);
    can.message() << "the limit of descriptors can't be set here";
    return can;
}

} // namespace partyline::test
