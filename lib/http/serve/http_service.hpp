#pragma once

#include "http/access/host_rules.hpp"
#include "http/opening/refused_openings.hpp"
#include "http/serve/endpoint.hpp"
#include "http/serve/moved_connection.hpp"
#include "http/serve/opened_connection.hpp"
#include "http/serve/origin_queue.hpp"
#include "http/serve/spare_memory.hpp"
#include "http/serve/thread_place.hpp"
#include "http/serve/timed_connections.hpp"
#include "http/serve/working_set.hpp"
#include "server/connection_service.hpp"
#include "server/log_throttle.hpp"
#include "server/peer_authenticator.hpp"

#include <partyline/http/forwarding_makers.hpp>
#include <partyline/http/server_options.hpp>
#include <partyline/protocol/framing.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

/// What all connections of a server share, or those of one of its threads: the endpoints, the options, the time.
///
/// Thread safety: everything on the executor, which is serial, but for `add()` and `allow_host()` before it is used.
/// Each thread of a server has one, and they are made one after the other: no two of them are on the same cache lines,
/// of which processors fetch two at a time.
class alignas(128) http_service final : public connection_service, public std::enable_shared_from_this<http_service> {
public:
    using clock = std::chrono::steady_clock;

    /// `place`: null, or tells which of the server's threads has a session; this one has the given `number`.
    http_service(boost::asio::any_io_executor serial, server_options options,
                 std::shared_ptr<const thread_place> place = nullptr, std::size_t number = 0);

    /// Serves a path. Throws `std::invalid_argument` where that is none, or taken.
    void add(std::string path, std::shared_ptr<endpoint> by);
    /// What speaks without HTTP is served so. Throws `std::logic_error` where something is already.
    void serve_sessions_by(served_methods methods);
    /// One more address is listened on, and accepts this. Returns its number. Throws `std::invalid_argument` for what
    /// there is nothing for.
    std::size_t add_listener(const accepted_protocols& accepted);
    /// The server listens there: requests may name that address as their host.
    void allow_host(const std::string& address) { hosts_.allow(address); }

    const boost::asio::any_io_executor& executor() const noexcept { return executor_; }
    const server_options& options() const noexcept { return options_; }
    const std::function<void(std::string_view)>& log() const noexcept { return options_.access_log; }
    working_sets& working() noexcept { return working_; }
    idle_states& idle() noexcept { return idle_; }
    timed_connections& connections() noexcept { return connections_; }
    /// The connections that are in a TLS handshake.
    origin_queue& handshakes() noexcept { return handshakes_; }
    spare_memory& spare() noexcept { return spare_; }

    /// The time when the event under way began; every event notes it.
    clock::time_point now() const noexcept { return now_; }
    clock::time_point note_time();
    /// The same as HTTP writes it.
    std::string_view date() const noexcept { return date_; }

    const accepted_protocols& accepted(std::size_t listener_number) const { return listeners_.at(listener_number); }
    /// Authenticates a peer that has a session without HTTP, by what its connection tells. Null: it is not admitted,
    /// which the log is told. Where there is `server_options::access`.
    std::shared_ptr<const access_grant> authenticate(const peer_identity& from) noexcept
    {
        return authenticator_.authenticate(from);
    }
    /// A session over a connection that began so, with `kind` of framing.
    std::unique_ptr<served_connection> serve_session(socket_channel channel, const peer_identity& from,
                                                     std::shared_ptr<const access_grant> grant, framing_kind kind,
                                                     std::function<void(error_code)> on_end);
    /// `what` has come to nothing: a handshake, or the connection.
    void note_tls_failed(std::string_view what, const peer_identity& from, const error_code& why) noexcept;
    /// Somebody has begun with what is not accepted.
    void note_refused(const peer_identity& from) noexcept { refused_openings_.note(from, options_.session.log); }

    /// What is answered whatever the body says; empty where the endpoint is to be asked. `facts` are completed.
    std::optional<response> check_head(const request_head& head, const connected_peer& from,
                                       request_facts& facts) const;
    /// The same for one whose grant `check_head` has found, when its body has come: that may have taken minutes.
    std::optional<response> renew_access(const request_head& head, request_facts& facts) const;
    endpoint::answer serve(request&& asked, kept_state& of, reply_sink& line);

    // Of a server with several threads.

    bool is_one_of_many() const noexcept { return place_ != nullptr; }
    /// The thread that has the session which a request names; this one where it names none.
    std::size_t thread_of(const request_head& head) const noexcept;
    bool has_session_of(const request_head& head) const noexcept { return thread_of(head) == number_; }
    /// Whether a session with this id is one of this thread.
    bool may_have(std::string_view session_id) const noexcept { return !place_ || place_->of(session_id) == number_; }
    std::unique_ptr<served_connection> serve(listener::connection accepted, connection_hooks hooks,
                                             connection_mover mover);
    /// Goes on with a connection of another thread.
    std::unique_ptr<served_connection> resume(moved_connection one, connection_mover mover);

    // Of a server that ends.

    /// `GET /healthz` is answered 503, and each connection ends with its next answer.
    bool is_ending() const noexcept { return is_ending_; }
    /// Besides, connections end with the answer that they owe, or with that to one more request, if it comes soon;
    /// after `time_limits::drain` no answer is waited for.
    bool is_draining() const noexcept { return drains_since_.has_value(); }
    /// It drains, and whoever has waited since then has had the time for that one request.
    bool has_drained(clock::time_point since, clock::time_point now) const noexcept;

    /// How many sessions there are. From any thread.
    std::size_t sessions() const noexcept { return sessions_; }
    void note_session_begun() noexcept { ++sessions_; }
    void note_session_ended() noexcept { --sessions_; }
    /// Calls this soon, with success; at once where there is no memory for that.
    void post_end(std::function<void(error_code)> told) noexcept;
    void note_failure(std::exception_ptr thrown) noexcept;

    // connection_service
    bool is_by_proxy(const listener::connection& one) const override
    {
        return accepted(one.listener_number).proxy_protocol;
    }
    std::unique_ptr<served_connection> serve(listener::connection accepted, connection_hooks hooks) override;
    void note_end(served_connection&, const error_code&) override {}
    void begin_lame_duck() noexcept override { is_ending_ = true; }
    void begin_drain() noexcept override;
    bool answers_the_last() const noexcept override { return true; }
    /// No client will come back to its session.
    void on_over() noexcept override;

private:
    endpoint* find(std::string_view path) const noexcept;
    std::optional<response> check_access(const request_head& head, const peer_identity& from,
                                         request_facts& facts) const;
    std::optional<response> take_grant(authentication found, const request_head& head, request_facts& facts) const;
    response check_metadata(const request_head& head, reach from, request_facts& facts) const;
    std::optional<response> check_post(const request_head& head) const;
    response health(const request_head& head) const;
    void start_ticking();
    void on_tick();
    bool has_work() const noexcept;

    boost::asio::any_io_executor executor_;
    const std::shared_ptr<const thread_place> place_;
    const std::size_t number_;
    server_options options_;
    spare_memory spare_;
    host_rules hosts_;
    std::optional<served_methods> sessions_by_;                       // unset: there are none
    std::vector<accepted_protocols> listeners_{accepted_protocols()}; // the first is that of none in particular
    refused_openings refused_openings_;
    working_sets working_;
    idle_states idle_;
    std::vector<std::pair<std::string, std::shared_ptr<endpoint>>> endpoints_;
    timed_connections connections_;
    origin_queue handshakes_;
    boost::asio::steady_timer tick_;
    clock::time_point now_;
    clock::time_point dated_;
    std::string date_;
    std::optional<clock::time_point> drains_since_;
    log_throttle failures_;
    log_throttle failed_tls_;
    peer_authenticator authenticator_;
    std::atomic<std::size_t> sessions_ = 0;
    bool is_ticking_ = false;
    bool is_ending_ = false;
};

} // namespace partyline::http
