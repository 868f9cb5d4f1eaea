#pragma once

#include "gateway/running_gateway.hpp"
#include "session_ends.hpp"

#include <cstddef>
#include <list>
#include <random>
#include <string>
#include <vector>

#include <sys/types.h>

namespace partyline::test {

/// A gateway from its start to its end, with sessions that end before it, and others that end with it.
class gateway_run {
public:
    /// `server` is the command that it has behind it.
    gateway_run(std::vector<std::string> server, std::mt19937_64& random);

    /// Sessions that end in all ways; then nothing is left of them.
    void pass(std::size_t sessions);
    /// Sessions that are there when a signal ends the gateway, some of them in mid-call; then nothing is left of them
    /// and it.
    void end_by(int signal, std::size_t sessions);

private:
    void wait_until_nothing_is_left();

    std::mt19937_64& random_;
    running_gateway gateway_;
    std::size_t descriptors_;
    std::list<live_session> alive_;
};

} // namespace partyline::test
