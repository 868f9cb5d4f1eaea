#pragma once

#include "fleet/bus/inbox.hpp"
#include "fleet/wire/bus_message.hpp"

#include <partyline/fleet/bus_options.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

namespace partyline::fleet {

/// Opens libnats in this process, once; throws `std::runtime_error` where it can't be. Its threads take no signals, and
/// how the process takes SIGPIPE, which libnats would ignore for all, stays as it is.
void open_nats();

/// One connection to one server of NATS, by libnats, until it is lost. All of libnats that is used stands behind this.
///
/// Its functions may wait for the network: they are for a thread that has nothing else to do. What libnats calls back
/// in its threads goes to inboxes, and to the two functions.
///
/// Thread safety: none; the destructor may be called while libnats calls back, which it may go on doing for a moment.
class nats_connection {
public:
    struct user {
        std::function<void(std::string why)> on_lost;     // once
        std::function<void(std::string what)> on_problem; // such as a subject that may not be used
    };

    /// Connects, for up to 2 s. Throws `std::runtime_error`, with the address and what is wrong.
    nats_connection(const std::string& server, const bus_options& options, user told);
    ~nats_connection();
    nats_connection(const nats_connection&) = delete;
    nats_connection& operator=(const nats_connection&) = delete;

    /// Throws `std::runtime_error`.
    void subscribe(const std::string& subject, const std::shared_ptr<inbox>& to);
    /// `subject`: empty for all of that inbox. Waits for the server, as `flush()` does, after many of them.
    void unsubscribe(const std::string& subject, const inbox& from) noexcept;

    /// False where it was not sent.
    bool publish(const publication& what) noexcept;
    /// Waits until the server has all that was published, for up to a second. False where that is not known.
    bool flush() noexcept;
    std::size_t max_payload() const noexcept;

private:
    struct handle;
    struct subscription;

    void free_ended() noexcept;

    // libnats up to 3.6.0 uses a subscription without a reference while it reads: none may go before the connection has
    // ended, or has read on. So the connection is the last member, and destroyed first.
    std::shared_ptr<user> told_;
    std::list<subscription> subscriptions_;
    std::list<subscription> ended_; // unsubscribed
    std::unique_ptr<handle> connection_;
};

} // namespace partyline::fleet
