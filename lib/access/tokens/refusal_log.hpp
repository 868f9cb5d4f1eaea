#pragma once

#include "access/tokens/credential.hpp"

#include <partyline/session/access_control.hpp>
#include <partyline/session/peer_identity.hpp>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

namespace partyline::access {

/// Words the refusals of tokens for a log: 10 lines in 10 s at most, the first after that with the number of those that
/// were left out. Of a token it says 8 digits of its digest.
///
/// Thread safety: all of it, from any thread.
class refusal_log {
public:
    using time_point = std::chrono::system_clock::time_point;

    static constexpr std::size_t most_lines = 10;
    static constexpr std::chrono::seconds window{10};

    /// Nothing where it is left out.
    std::optional<std::string> line(const credential& shown, authentication_outcome why, const peer_identity& from,
                                    time_point now);

private:
    std::mutex mutex_;
    time_point since_ = {};
    std::size_t lines_ = 0;
    std::size_t left_out_ = 0;
};

} // namespace partyline::access
