#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/served_methods.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/testing/pending.hpp>
#include <partyline/testing/records.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace partyline {

class session;

namespace test {

class session_pair;

/// The options of a `client`, and of the server that it makes.
struct client_options {
    /// The options of the server's session: profile, limits, log, user data.
    session_options server = {};
    /// The methods of the client that the server may call. Notifications are recorded, whether a method serves them or
    /// not.
    method_table methods = {};
    /// How long each call of the client may wait; `duration::max()` means for ever.
    std::chrono::steady_clock::duration time_limit = std::chrono::seconds(5);
    /// The `io_context` that the client's calls run; nothing else runs it meanwhile. It outlives the client. Null, as
    /// by default: one of the client's own; handlers have its executor as `request_context::get_executor`, or are given
    /// `client::get_executor`.
    boost::asio::io_context* context = nullptr;
    /// The fields that handlers read by `request_context::http_field`: names, in any case, and values, as if each
    /// request had come over HTTP. Several of one name are one value, divided by ", ".
    std::vector<std::pair<std::string, std::string>> http_fields = {};
};

/// A client for unit tests of handlers, with any test framework: it makes a session that serves a method table, calls
/// it over memory as a peer does, by messages, and waits for the replies within a time limit.
///
///     partyline::test::client c(std::move(methods));
///     assert(c.call<int>("add", args(1, 2)) == 3);           // by position
///     assert(c.call<int>("add", named("a", 1, "b", 2)) == 3); // by name
///     assert(c.error_of("add", args("x", 2)).code == partyline::error_codes::invalid_params);
///
/// Everything runs on the calling thread, within the calls of this class; between them nothing happens. The client
/// starts no thread. (Methods with an executor of their own run there, and must have returned when the client is
/// destroyed.) A handler that does not return, and does not suspend, can't be interrupted: no time limit ends it.
///
/// Params are those of every call, see `call_params`: `args(1, 2)`, `named("a", 1)`, a described struct, a `json::value`
/// or a `json_text`.
///
/// With a profile other than the plain one the client speaks its protocol, without its lifecycle: a test of an LSP
/// server calls "initialize" first. Where progress needs a token (LSP), calls with object params get a `workDoneToken`,
/// in place of one that they have.
///
/// Misuse throws `std::logic_error`: a client that was moved from; one that is to wait while it runs, asked by a
/// handler or a predicate. Null methods or a null profile: `std::invalid_argument`.
///
/// Movable. Destroying it, not from within a handler, ends the conversation at once: handlers in flight are cancelled,
/// and waited for within the time limit. It does not throw. For an end in order see `end`.
/// Thread safety: one thread.
class PARTYLINE_EXPORT client {
public:
    /// Serves these methods. The methods live as long as the client.
    explicit client(const served_methods& methods, client_options options = {});

    client(client&&) noexcept;
    client& operator=(client&&) noexcept;
    ~client();

    /// Calls a method and waits for its result: any type that a parameter of a handler can have, void, or by default
    /// its text.
    ///
    /// Fails with   as `pending::get`
    template <class T = json_text>
    T call(std::string method, const call_params& params = nullptr)
    {
        return start<T>(std::move(method), params).get();
    }

    /// Calls a method that is expected to be answered with an error, and waits for that.
    ///
    /// Fails with   unexpected_result; otherwise as `pending::get`
    error_object error_of(std::string method, const call_params& params = nullptr);

    /// Starts a call without waiting for anything: it is sent when the client runs next. Calls are sent in order.
    template <class T = json_text>
    pending<T> start(std::string method, const call_params& params = nullptr)
    {
        return pending<T>(start_call(std::move(method), params));
    }

    /// Sends a notification, and runs everything that can run without waiting: its handler up to its first wait.
    ///
    /// Fails with   timed_out; system_error: it could not be sent
    void notify(std::string method, const call_params& params = nullptr);

    /// Runs everything that can run without waiting for a timer, for a thread, or for anything else.
    ///
    /// Fails with   timed_out: there is no end of it
    void run_until_idle();

    /// Runs until the predicate, which is asked after each step, is true.
    ///
    /// Fails with   timed_out
    void run_until(const std::function<bool()>& predicate);

    /// The notifications that came from the server so far, in order, but for those of progress.
    const std::vector<recorded_notification>& notifications() const;
    /// Returns these notifications and removes them from the record.
    std::vector<recorded_notification> take_notifications();

    /// The progress that came so far, of all calls and under all tokens, in order; partial results are among it.
    const std::vector<recorded_progress>& progress() const;
    /// Returns this progress and removes it from the record.
    std::vector<recorded_progress> take_progress();

    /// Ends input, and waits for the server's end: the server finishes requests in flight within
    /// `session_options::drain_timeout`, and its replies still come. Returns how the server's `async_run` completed,
    /// also when it is called again or the server has ended by itself. Later calls fail with `errc::session_closed`.
    ///
    /// Fails with   timed_out
    error_code end();

    /// The server's session: to call or notify from that side, to exchange its methods, to look at its counters. Calls
    /// of its functions take effect when the client runs next. It lives as long as the client.
    session& server();

    /// The executor of the client and of its session, for the timers and gates of a test.
    boost::asio::any_io_executor get_executor() const;

    /// How long each call may wait from now on; `duration::max()` means for ever.
    void set_time_limit(std::chrono::steady_clock::duration most);

private:
    session_pair& pair() const;
    detail::pending_call start_call(std::string method, const call_params& params);

    std::shared_ptr<session_pair> pair_; // null when moved from
};

} // namespace test
} // namespace partyline
