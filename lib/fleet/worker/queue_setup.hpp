#pragma once

#include "fleet/wire/bus_message.hpp"
#include "fleet/wire/jetstream.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::fleet {

/// Makes the queue of a service, its consumer and the bucket of claims, where they are not there yet. Knows neither
/// sockets nor clocks.
///
/// Flow: `begin()` on each connection, then whatever `next()` has to be published; `on_answer()`, which may have
/// another one; `next()` again where no answer has come for a while.
class queue_setup {
public:
    /// `replicas`: 0: three where there is a cluster, else one.
    queue_setup(std::string worker, std::string service, std::size_t replicas);

    void begin() noexcept { step_ = 0; }
    bool is_ready() const noexcept { return step_ == steps; }
    /// The request that is to be sent now; not where it is ready.
    publication next() const;
    /// Whether a message is an answer to one of its requests.
    bool is_answer(std::string_view subject) const noexcept { return subject == reply_to_; }
    struct outcome {
        bool goes_on = false;     // there is another request to be sent, or it is ready now
        bool is_to_wait = false;  // before that request
        std::string problem = {}; // for the log; empty: there is none
    };
    outcome on_answer(const bus_message& message, std::chrono::system_clock::time_point now);

private:
    static constexpr std::size_t steps = 3;

    queue_settings settings() const;

    const std::string service_;
    const std::string reply_to_;
    const std::size_t asked_replicas_; // 0: whatever there can be
    bool is_alone_ = false;            // one server, and no cluster
    std::size_t step_ = 0;
};

} // namespace partyline::fleet
