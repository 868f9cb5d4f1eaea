#pragma once

#include <partyline/config.hpp>
#include <partyline/http/client_options.hpp>
#include <partyline/session.hpp>
#include <partyline/session/caller.hpp>
#include <partyline/session/session_counters.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <string>

namespace partyline::http {

class client_driver;

/// Calls a server of JSON-RPC over HTTP: each call, notification or batch is a POST.
///
///     http::client client(context.get_executor(), "https://example.org/rpc", options);
///     const int sum = co_await client.call<int>("add", args(2, 40));
///
/// Calls are those of every `caller`, with time limits, progress (where the server answers by a stream of events),
/// batches and cancels: whoever cancels, or whose time is over, closes the connection, by which the server knows. What
/// a server asks in its answers is not answered: there is no way to.
///
/// A call fails besides with: what connecting fails with, asio::error::host_not_found, connection_refused and the like,
/// and for https what the handshake fails with; errc::timeout: `client_options::connect_timeout`; errc::http_status: an
/// answer that is no reply to it, of whatever status (the details have that, the type of the body, and the beginning of
/// one in JSON), or 401 or 407 with whatever body (the details have WWW-Authenticate); errc::bad_reply: what came is no
/// response of HTTP, or sends the client to another address; errc::peer_closed: the connection, or a stream of events,
/// ended before the reply. The details say more. A request that may have been sent is never sent again by itself:
/// whether the server has done what it was asked is then for the caller to find out.
///
/// It may be used at once. While it has idle connections its context has work to do, for
/// `client_options::idle_timeout`.
///
/// Movable; destroying it is `stop()`. The `io_context` must outlive it.
///
/// Thread safety: everything but moving and destroying may be done from any thread.
class PARTYLINE_EXPORT client final : public caller {
public:
    /// Throws `std::invalid_argument` for an address that is none of http or https, or where https has nothing to speak
    /// TLS by.
    client(boost::asio::any_io_executor executor, const std::string& url, client_options options = {});

    client(client&&) noexcept = default;
    client& operator=(client&& other) noexcept;
    ~client();

    /// Nothing new is called from here on; what is under way goes on to its end, or to that of
    /// `session_options::drain_timeout`.
    void close();
    /// Calls that are under way fail with errc::session_closed.
    void stop();
    /// What its conversation has done so far: see `session::counters`.
    session_counters counters() const;
    /// Where it does its work.
    boost::asio::any_io_executor get_executor() const;

private:
    void start_call(std::string method, call_params params, call_options options, call_handler done) override;
    void start_notify(std::string method, call_params params, notify_handler done) override;
    void start_batch(call_batch calls, call_options options, batch_handler done) override;

    std::shared_ptr<client_driver> driver_; // null when moved from
};

/// The same as a session, for those who write for whatever a server is reached by: by POST (http, https) or by
/// WebSocket (ws, wss; see `websocket_client`). It sends when it runs. Throws `std::invalid_argument` for what is no
/// such address, and for https and wss without `client_options::tls`.
PARTYLINE_EXPORT session open_session(boost::asio::any_io_executor executor, const std::string& url,
                                      client_options options = {});

} // namespace partyline::http
