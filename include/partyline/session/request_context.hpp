#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/request_id.hpp>
#include <partyline/session/access_view.hpp>
#include <partyline/session/attachments.hpp>
#include <partyline/session/binding.hpp>
#include <partyline/session/caller.hpp>
#include <partyline/session/peer_identity.hpp>
#include <partyline/session/trace_context.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <any>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace partyline {

class session_link;

namespace detail {

/// Writes a value as a handler's result is written; see partyline/rpc/args.hpp, which defines it; session.hpp,
/// method_table.hpp and test/fake_context.hpp include that.
template <class T>
boost::json::value to_told_value(const T& from, empty_optionals empty);

/// Whether a type is not a `json::value` and so needs a conversion.
template <class T>
concept convertible_result = !std::is_same_v<std::remove_cvref_t<T>, boost::json::value>;

/// Types that `json::value` has a constructor for; an enum is written by its name, and a null pointer as null.
template <class T>
concept direct_value = std::is_convertible_v<T, boost::json::value> && !std::is_enum_v<std::remove_cvref_t<T>> &&
                       !std::is_pointer_v<std::remove_cvref_t<T>>;

} // namespace detail

/// The result of sending the peer something: a coroutine awaits it, a plain function may ignore it (an `awaitable`
/// itself may not be ignored).
class PARTYLINE_EXPORT sending : public boost::asio::awaitable<void> {
public:
    /// `has_room`: there is nothing to wait for.
    sending(boost::asio::awaitable<void>&& room, bool has_room = false) noexcept
        : awaitable(std::move(room)), has_room_(has_room)
    {
    }

    /// The result for a message that is sent, or need not be sent: it completes at once. Throws `std::bad_alloc`.
    static sending without_wait();

    /// Whether a coroutine that awaits it is not suspended.
    bool has_room() const noexcept { return has_room_; }

private:
    bool has_room_;
};

/// The request that a handler serves, and functions to notify and call the peer meanwhile. Valid until the handler has
/// returned; a handler takes it by reference. The class is an interface, so handlers can be tested without a session.
///
/// Thread safety: one handler uses it from one thread at a time, wherever that handler runs; `cancelled()` and
/// `stopping()` may be called from any thread.
///
///     partyline::task<int> count(partyline::request_context& context, std::string folder)
///     {
///         int lines = 0;
///         for (const std::string& file : files_in(folder)) {
///             co_await context.progress("reading " + file);
///             lines += co_await context.call<int>("lines_of", args(file)); // asks the peer
///         }
///         co_return lines;
///     }
class PARTYLINE_EXPORT request_context : public caller {
public:
    /// The method's name as the peer called it.
    virtual std::string_view method() const noexcept = 0;

    /// The request's id; `empty()` in a notification's handler.
    virtual const request_id& id() const noexcept = 0;

    /// Whether this request has been cancelled: by the peer, by a deadline or because the session ends. Then operations
    /// that the handler awaits end with `operation_aborted`; a handler that computes calls this now and then. A handler
    /// that has to await something at its end all the same does so by `with_clean_up`, see clean_up.hpp.
    virtual bool cancelled() const noexcept = 0;
    /// Throws system_error(operation_aborted) once this request has been cancelled, as operations that are awaited do.
    /// For a handler that computes:
    ///
    ///     for (const std::string& file : files_in(folder)) {
    ///         context.throw_if_cancelled();
    ///         read(file);
    ///     }
    void throw_if_cancelled() const;

    /// Whether input has ended, or the session is being closed or stopped: the session ends when requests and calls
    /// under way have ended.
    virtual bool stopping() const noexcept = 0;

    /// The executor of this handler: the session's, or the strand made for a method with an executor of its own.
    virtual boost::asio::any_io_executor get_executor() const = 0;

    /// Reports progress of this request to the peer: `$/progress {token, value}`, where the token is the request's
    /// `params.workDoneToken` or else its id. Progress is sent in order with everything else that the handler sends and
    /// before its reply. Nothing is sent without a token (a notification, a request with the id null) or after the end
    /// of output.
    ///
    /// While more than `limits::outbox_soft_bytes` wait for the peer to read, the value is kept back, and a later one
    /// of this request takes its place. An object whose `kind` is "begin" or "end" (LSP 3.17, work done progress) is
    /// never replaced: it is sent as `notify` sends.
    ///
    /// `value` is whatever a handler may return: a described struct, a string, a number, a `json::value`.
    ///
    /// Completes with   void; never suspends, except for "begin" and "end"
    /// Fails with       std::invalid_argument, thrown at once: `value` has no JSON text, or one over
    ///                  `limits::message_bytes`
    /// Lifetime         the value is read before this returns
    /// Threads          from where the handler runs; a plain function may call it and ignore what it returns
    sending progress(const boost::json::value& value) { return tell_progress(value); }
    /// Sends progress of any type that a handler may return.
    template <detail::convertible_result T>
    sending progress(T&& value)
    {
        return tell_progress(written(std::forward<T>(value)));
    }

    /// Whether the peer takes this request's result in parts: it gave `params.partialResultToken` (LSP 3.17, partial
    /// results).
    virtual bool takes_partial_results() { return false; }

    /// Sends a part of the result, `$/progress {token, value}` under that token. A handler that sends one part sends
    /// all of the result in parts, and returns an empty result. Sent as `notify` sends, and nothing without a token;
    /// `value` as of `progress`.
    sending partial_result(const boost::json::value& value) { return tell_partial_result(value); }
    /// Sends a part of any type that a handler may return.
    template <detail::convertible_result T>
    sending partial_result(T&& value)
    {
        return tell_partial_result(written(std::forward<T>(value)));
    }

    /// Sends the peer a notification, in order with everything else that the handler sends, its progress and its reply
    /// among it: `context.notify("log", args("text", 3))`. The notification is never dropped: when it has no room,
    /// because more than `limits::outbox_soft_bytes` wait for the peer to read, it is kept, and a coroutine that awaits
    /// this is suspended until there was room. (`caller::notify` begins when it is awaited, is in order with calls, and
    /// takes any completion token: `static_cast<caller&>(context).notify(...)(token)`.)
    ///
    /// Completes with   void
    /// Fails with       std::invalid_argument, thrown at once: `params` is neither array, object nor null, has no JSON
    ///                  text, or one over `limits::message_bytes`; system_error(errc::overloaded), thrown at once, to a
    ///                  handler that does not await: notifications of more than `limits::message_bytes` are being kept
    ///                  for it
    /// Cancellation     terminal, partial, total: stops waiting, with `operation_aborted`; the notification is sent all
    ///                  the same
    /// Lifetime         the arguments are taken over
    /// Threads          from where the handler runs; a plain function may call it and ignore what it returns
    virtual sending notify(std::string method, call_params params = nullptr) = 0;

    /// The sender of this request: see `session_options::peer`; or, where that has no principal, the signer: see
    /// `access_view::check_proof`. Valid until the handler has returned.
    virtual const peer_identity& peer() const noexcept;

    /// A field of the HTTP request that this one came by, or of the handshake of its WebSocket: one of those that
    /// `http::server_options::handler_fields` names. Several fields of one name are one value, divided by ", " (RFC
    /// 9110 §5.3). nullopt: there was none, it is not named there, or the request did not come by HTTP, or came by way
    /// of a fleet or a gateway. `name`: in any case. Valid until the handler has returned. The field is as the client
    /// has sent it: it is not verified, and its bytes need not be UTF-8.
    virtual std::optional<std::string_view> http_field(std::string_view name) const noexcept;

    /// The rights of the peer, for handlers that list or reach things by name; null: everything may be called. The view
    /// is the session's present one, which may be another than when the request came: see `session::use_access`; or,
    /// where `peer()` is the signer, the signer's.
    virtual std::shared_ptr<const access_view> access() const { return nullptr; }

    /// Returns a handle to this request's session, to notify or call its peer after this handler has ended: see
    /// `session_group`. Always the same pointer for a session. Null where there is none: for a plain POST, also one
    /// that came by way of a fleet.
    virtual std::shared_ptr<session_link> link() const { return nullptr; }

    /// The values that are kept with the session, for a plain POST with its connection. They are destroyed when that
    /// has ended: their destructors find `session_link::is_open` false, and throw nothing. Used where handlers without
    /// an executor of their own run. Null where there is no session, as in tests.
    virtual attachments* session_values() noexcept { return nullptr; }

    /// Whether the request came in a batch: its answer is sent with those of the other requests, when the last of them
    /// is there.
    virtual bool is_in_batch() const noexcept { return false; }

    /// Whether the request has been answered with a result: for the destructors of values that are attached, which run
    /// after the answer where the handler runs on the session's executor. False for an error, where nobody
    /// is left to be answered, for notifications, and for methods with an executor of their own, whose values go before
    /// the answer.
    virtual bool has_result() const noexcept { return false; }

    /// The object that `session_options::user_data` holds, shared by all requests of the session; null when it holds no
    /// `T`.
    template <class T>
    T* user_data() noexcept
    {
        return std::any_cast<T>(&session_user_data());
    }

    /// Keeps a value with this request, in place of one of the same type: for example a result of middleware, for the
    /// handler (see middleware.hpp). The value is destroyed when the handler has ended, so that its destructor sees the
    /// end.
    template <class T>
    T& attach(T value)
    {
        return attached_values().attach(std::move(value));
    }

    /// The value of that type that is kept with this request; null when there is none.
    template <class T>
    T* attached()
    {
        return attached_values().template find<T>();
    }

    /// The trace of this request: our part of the sender's trace. Where the session has an `on_served` hook, the
    /// sender's trace is `traceparent` in the metadata of the params, or else in the field of the POST or the WebSocket
    /// handshake that the request came by; where it has none, it is the one that `trace_requests()` has read (see
    /// tracing.hpp). Without either, the request is the first piece of a new trace. The trace is the same as long as
    /// the request lasts.
    const trace_context& trace();
    /// Whether the trace has been read or made.
    bool has_trace() { return known_trace() || attached<trace_context>(); }

    /// Marks the result that the handler is about to return as a failure, which is no error of JSON-RPC: `isError` of
    /// MCP. See `served_event::is_tool_error`. (Tools of an `mcp::server` need not call it.)
    virtual void note_tool_error() noexcept {}

    /// The facts of the session's profile about this request, if they are a `T`; else null. See `ruling::facts`.
    template <class T>
    const T* facts() const noexcept
    {
        const std::any* const known = request_facts();
        return known ? std::any_cast<T>(known) : nullptr;
    }

    /// Whether a member of the params is meant for the session, and not for the method: see `profile::is_own_member`.
    virtual bool is_own_member(std::string_view name) const noexcept;

    /// The conversion of params and results, by the method's options and the profile.
    virtual binding_policy binding() const noexcept { return {}; }

    /// The depth to which arrays and objects of a result may be nested: see `limits::depth`.
    virtual std::size_t max_depth() const noexcept;

    /// How long the reply may be, as a message: see `limits::message_bytes`.
    virtual std::size_t max_message_bytes() const noexcept;

    /// The member of the params that is about the request itself: see `profile::metadata`. Empty: there is none.
    virtual std::string_view metadata_name() const noexcept;

protected:
    ~request_context() = default;

    /// The values for `user_data`.
    virtual std::any& session_user_data() noexcept = 0;
    /// The values of `attach`.
    virtual attachments& attached_values() = 0;
    /// The value for `facts`; null: the profile has no facts.
    virtual const std::any* request_facts() const noexcept { return nullptr; }
    /// The trace that the session has read; null where it reads no traces.
    virtual const trace_context* known_trace() const noexcept { return nullptr; }

private:
    friend class peer_wait;

    template <class T>
    boost::json::value written(T&& value) const
    {
        if constexpr (detail::direct_value<T>)
            return boost::json::value(std::forward<T>(value));
        else
            return detail::to_told_value(value, binding().empty.value_or(empty_optionals::left_out));
    }

    virtual sending tell_progress(const boost::json::value& value) = 0;
    virtual sending tell_partial_result(const boost::json::value& value);

    // Where no session is behind it, a call completes with `errc::session_closed`.
    void start_call(std::string method, call_params params, call_options options, call_handler done) override;
    void start_notify(std::string method, call_params params, notify_handler done) override;
    void start_batch(call_batch calls, call_options options, batch_handler done) override;

    // Calls of a `peer_wait` to the session; without a session they do nothing.
    virtual void begin_peer_wait() {}
    virtual void end_peer_wait() {}
};

} // namespace partyline
