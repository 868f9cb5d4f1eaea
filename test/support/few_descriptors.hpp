#pragma once

#include "support/descriptors.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace partyline::test {

/// No descriptor can be opened but for `spare` of them, while this lives. Nothing is checked meanwhile: sanitizers and
/// the test framework may want one themselves.
class few_descriptors {
public:
    explicit few_descriptors(rlim_t spare)
    {
        checked(::getrlimit(RLIMIT_NOFILE, &before_), "getrlimit");
        const unique_fd next(checked(::dup(0), "dup")); // all below are in use
        first_free_ = static_cast<rlim_t>(next.get());
        allow(spare);
    }
    ~few_descriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    few_descriptors(const few_descriptors&) = delete;
    few_descriptors& operator=(const few_descriptors&) = delete;

    void allow(rlim_t spare)
    {
        const rlimit now{first_free_ + spare, before_.rlim_max};
        checked(::setrlimit(RLIMIT_NOFILE, &now), "setrlimit");
    }

private:
    rlimit before_;
    rlim_t first_free_;
};

} // namespace partyline::test
