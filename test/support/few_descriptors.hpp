#pragma once

#include "support/descriptor_limit.hpp"

#include <unistd.h>

namespace partyline::test {

/// No descriptor can be opened but for `spare` of them, while this lives. Nothing is checked meanwhile: sanitizers and
/// the test framework may want one themselves. Its tests have the precondition `can_set_descriptor_limit`.
class few_descriptors {
public:
    explicit few_descriptors(rlim_t spare)
    {
        const unique_fd next(checked(::dup(0), "dup")); // all below are in use
        first_free_ = static_cast<rlim_t>(next.get());
        allow(spare);
    }

    void allow(rlim_t spare) { limit_.set(first_free_ + spare); }

private:
    descriptor_limit limit_;
    rlim_t first_free_ = 0;
};

} // namespace partyline::test
