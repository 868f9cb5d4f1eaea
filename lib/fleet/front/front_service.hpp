#pragma once

#include "fleet/bus/bus_core.hpp"
#include "fleet/channel/channel_table.hpp"
#include "fleet/due_timer.hpp"
#include "fleet/front/call_completion.hpp"
#include "fleet/front/front_core.hpp"
#include "fleet/told_totals.hpp"

#include <partyline/fleet/fleet_call.hpp>
#include <partyline/fleet/front_options.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::fleet {

/// What a session is to be opened with.
struct wanted_session {
    std::shared_ptr<const peer_identity> peer;
    std::string client; // whose it is; empty: the peer's
    std::string traceparent;
    session_kind kind = session_kind::session;
    std::function<void(const error_object* refused)> on_opened;
};

/// What a `front` is a handle of: the rules, and what they need of the bus, of time and of callers.
///
/// Flow: `start()`, once; `start_call()`, `open()`; `close()`, `stop()`.
/// Ownership: the front's and its makers'; what was posted keeps it for a moment.
/// Thread safety: public functions from any thread; everything else happens on the executor.
class front_service final : public std::enable_shared_from_this<front_service>,
                            private inbox::receiver,
                            private channel_table::user {
public:
    front_service(boost::asio::any_io_executor executor, std::shared_ptr<bus_core> by, std::string service,
                  front_options options);

    void start();
    void start_call(fleet_call what, call_completion::handler done);
    /// On the executor: has a worker open the session of this channel.
    void open(const std::shared_ptr<channel>& one, wanted_session wanted);
    /// The session of this channel is not opened.
    static void refuse(channel& one, const wanted_session& wanted, front_outcome why);
    /// In order: sessions end, too.
    void close() noexcept;
    /// At once; after this the executor's context may be destroyed.
    void stop() noexcept;

    std::weak_ptr<channel::carrier> channels();
    const boost::asio::any_io_executor& executor() const noexcept { return executor_; }
    const front_options& options() const noexcept { return options_; }
    front_totals counters() const { return totals_.last(); }

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

    // channel_table::user
    void publish_now(std::vector<publication> all) override;
    void on_channel_end(std::uint64_t number) override;
    void on_due_changed() override { wait(); }

    void enter(fleet_call what, const std::shared_ptr<open_call>& call) noexcept;
    void try_enter(fleet_call what, const std::shared_ptr<open_call>& call);
    void cancel(const std::shared_ptr<open_call>& call) noexcept;
    static void fail(open_call& call) noexcept;
    void on_time();
    void end() noexcept;
    void end_at_once() noexcept;
    void detach() noexcept;

    void carry_out();
    void carry_out_what_it_can() noexcept;
    void carry_out(publication& one);
    void carry_out(const call_accepted&) {}
    void carry_out(call_message& one);
    void carry_out(call_settled& one);
    void carry_out(const session_answered& one);
    void tell_end(open_call& call, const call_settled& one);
    void settle_opening(const call_settled& one);
    void drop_session(const call_settled& opened);
    void begin(channel& opened, const wanted_session& wanted, const call_settled& by);
    void publish();
    void wait();
    void tell_totals();
    void refuse(const std::shared_ptr<open_call>& call, front_outcome outcome);
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
    std::map<std::uint64_t, wanted_session> openings_; // by their calls
    channel_table channels_;
    std::vector<publication> unsent_; // of the effects that are carried out
    std::size_t max_payload_ = 0;     // of the server; 0: not known
    std::optional<time_point> disconnected_since_;
    bool is_closed_ = false;
    bool is_detached_ = false; // from the bus
    told_totals<front_totals> totals_;
};

} // namespace partyline::fleet
