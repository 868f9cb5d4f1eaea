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
/// Calls have time limits, batches and cancels like those of every `caller`, and progress where the server answers by a
/// stream of events. A call that is cancelled, or runs out of time, closes its connection, which tells the server.
/// Requests of the server in its answers are not answered: plain JSON-RPC over HTTP has no way to.
///
/// Besides the errors of every call, a call fails with: the error of connecting (asio::error::host_not_found,
/// connection_refused and the like) or, for https, of the handshake; errc::timeout: `client_options::connect_timeout`;
/// errc::http_status: the answer, of whatever status, is no reply to the call (the details have the status, the type of
/// the body, and the beginning of a body in JSON), or the status is 401 or 407 (the details have WWW-Authenticate);
/// with `client_options::tokens`, client_errc::unauthorized in place of 401 and of 403 for want of scopes;
/// errc::bad_reply: the answer is not HTTP, or redirects to another address; errc::peer_closed: the connection, or a
/// stream of events, ended before the reply. An error without id in the body of a refusal is the reply to the call. The
/// details say more. A request of which the server may have received a part is never repeated automatically, except
/// where the server has refused its token: the caller has to find out whether the server has served the request.
///
/// A client may be used at once. Idle connections of a client keep `run()` of its context from returning, for
/// `client_options::idle_timeout`.
///
/// Movable; destroying it is `stop()`. The `io_context` must outlive it.
///
/// Thread safety: everything but moving and destroying may be done from any thread.
class PARTYLINE_EXPORT client final : public caller {
public:
    /// Throws `std::invalid_argument` for an address that is not of http or https, for https without
    /// `client_options::tls`, and for options that contradict each other or the address.
    client(boost::asio::any_io_executor executor, const std::string& url, client_options options = {});

    client(client&&) noexcept = default;
    client& operator=(client&& other) noexcept;
    ~client();

    /// Refuses new calls. Calls under way go on until they end, or until `session_options::drain_timeout` is over.
    void close();
    /// Ends the client at once: calls under way fail with errc::session_closed.
    void stop();
    /// The counters of its conversation: see `session::counters`.
    session_counters counters() const;
    /// The executor that the client works on.
    boost::asio::any_io_executor get_executor() const;

private:
    void check_callable() const override;
    void start_call(std::string method, call_params params, call_options options, call_handler done) override;
    void start_notify(std::string method, call_params params, notify_handler done) override;
    void start_batch(call_batch calls, call_options options, batch_handler done) override;

    std::shared_ptr<client_driver> driver_; // null when moved from
};

/// Makes a session with the server at an address, by POST (http, https) or by WebSocket (ws, wss; see
/// `websocket_client`). The session sends nothing before it runs. Throws `std::invalid_argument` for any other address,
/// and for https and wss without `client_options::tls`.
PARTYLINE_EXPORT session open_session(boost::asio::any_io_executor executor, const std::string& url,
                                      client_options options = {});

} // namespace partyline::http
