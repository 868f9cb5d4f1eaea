#pragma once

#include "fleet/wire/bus_message.hpp"
#include "fleet/wire/jetstream.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace partyline::fleet {

/// Makes the queue of a service, its consumer and the bucket of claims, where they are not there yet. Knows neither
/// sockets nor clocks.
///
/// Flow: `begin()` on each connection, and when the queue may be gone; then whatever `next()` has to be published;
/// `on_answer()`, which may have another one; `next()` again where no answer has come for a while. Both may be answered
/// then, so each request has a number: what answers another one than the present one is not taken for its answer.
class queue_setup {
public:
    /// `replicas`: 0: three where there is a cluster, else one.
    queue_setup(std::string worker, std::string service, std::size_t replicas);

    void begin() noexcept;
    bool is_ready() const noexcept { return step_ == steps; }
    /// The request that is to be sent now; not where it is ready.
    publication next() const;
    struct outcome {
        bool goes_on = false;     // there is another request to be sent, or it is ready now
        bool is_to_wait = false;  // before that request
        std::string problem = {}; // for the log; empty: there is none
    };
    /// `number`: of the subject that it has come to.
    outcome on_answer(std::uint64_t number, const bus_message& message);

private:
    static constexpr std::size_t steps = 3;

    queue_settings settings() const;

    const std::string worker_;
    const std::string service_;
    const std::size_t asked_replicas_; // 0: whatever there can be
    bool is_alone_ = false;            // one server, and no cluster
    std::size_t step_ = 0;
    std::uint64_t request_ = 1; // the number of the present one
};

} // namespace partyline::fleet
