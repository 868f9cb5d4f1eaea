#pragma once

#include "fleet/bus/bus_core.hpp"
#include "fleet/due_timer.hpp"
#include "fleet/front/call_completion.hpp"
#include "fleet/front/front_core.hpp"

#include <partyline/fleet/fleet_call.hpp>
#include <partyline/fleet/front_options.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::fleet {

/// What a `front` is a handle of: the rules, and what they need of the bus, of time and of callers.
///
/// Flow: `start()`, once; `start_call()`, `close()`.
/// Ownership: the front's and its makers'; what was posted keeps it for a moment.
/// Thread safety: public functions from any thread; everything else happens on the executor.
class front_service final : public std::enable_shared_from_this<front_service>, private inbox::receiver {
public:
    front_service(boost::asio::any_io_executor executor, std::shared_ptr<bus_core> by, std::string service,
                  front_options options);

    void start();
    void start_call(fleet_call what, call_completion::handler done);
    void close() noexcept;

    const front_options& options() const noexcept { return options_; }
    std::size_t open_calls() const noexcept { return open_calls_.load(std::memory_order_relaxed); }
    std::size_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

private:
    using time_point = std::chrono::steady_clock::time_point;

    /// A call and who waits for it.
    struct open_call {
        open_call(call_completion::handler handler, const boost::asio::any_io_executor& other)
            : done(std::move(handler), other)
        {
        }
        call_completion done;
        std::function<void(std::string method, json_text params)> on_notification = {};
        std::uint64_t number = 0; // at the core; 0: it does not know it yet
        bool is_notification = false;
        bool is_cancelled = false;
    };

    void on_events(std::vector<bus_event> all) noexcept override;
    void on_event(const kept_message& message);
    void on_event(const bus_connected& now);
    void on_event(const bus_disconnected&);

    void enter(fleet_call what, const std::shared_ptr<open_call>& call);
    void cancel(const std::shared_ptr<open_call>& call);
    void on_time();
    void end() noexcept;

    void carry_out();
    void carry_out(publication& one);
    void carry_out(const call_accepted&) {}
    void carry_out(call_message& one);
    void carry_out(call_settled& one);
    void publish();
    void wait();
    bool is_unreachable() const;

    const boost::asio::any_io_executor executor_;
    const std::shared_ptr<bus_core> bus_;
    const front_options options_;
    const std::string name_;
    front_core core_;
    std::shared_ptr<inbox> inbox_;
    due_timer timer_;
    message_reader reader_;
    std::map<std::uint64_t, std::shared_ptr<open_call>> calls_;
    std::vector<publication> unsent_; // of the effects that are carried out
    std::size_t max_payload_ = 0;     // of the server; 0: not known
    std::optional<time_point> disconnected_since_;
    bool is_closed_ = false;
    std::atomic<std::size_t> open_calls_ = 0;
    std::atomic<std::size_t> dropped_ = 0;
};

} // namespace partyline::fleet
