#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>
#include <partyline/testing/errors.hpp>
#include <partyline/testing/records.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <any>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace partyline::test {

namespace detail {

struct handler_run;
struct fake_request;

/// A coroutine that a `fake_context` runs, without the type of its result.
class PARTYLINE_EXPORT running_handler {
public:
    explicit running_handler(std::shared_ptr<handler_run> run) noexcept : run_(std::move(run)) {}

    bool is_done() const;
    /// Waits for its end, and throws its exception.
    void wait();

private:
    handler_run& run() const;

    std::shared_ptr<handler_run> run_; // null when moved from
};

template <class T>
task<T> as_task(boost::asio::awaitable<T> handler)
{
    co_return co_await std::move(handler);
}

template <class T>
task<void> keep_result(task<T> handler, std::shared_ptr<std::optional<T>> result)
{
    result->emplace(co_await std::move(handler));
}

[[noreturn]] PARTYLINE_EXPORT void throw_taken();

} // namespace detail

/// A handler that a `fake_context` has started.
///
/// Movable.
/// Thread safety: as the context.
template <class T>
class running {
public:
    /// For the library's own.
    running(detail::running_handler handler, std::shared_ptr<std::optional<T>> result) noexcept
        : handler_(std::move(handler)), result_(std::move(result))
    {
    }

    /// Waits for the handler's end, at most the context's time limit, and returns its result, once.
    ///
    /// Fails with   the exception of the handler; timed_out; std::logic_error: called twice, moved from, the context is
    ///              gone
    T get()
    {
        handler_.wait();
        if (!*result_)
            detail::throw_taken();
        std::optional<T> result = std::exchange(*result_, std::nullopt);
        return std::move(*result);
    }

    /// Whether the handler has ended. Handlers run only while the context runs.
    bool is_done() const { return handler_.is_done(); }

private:
    detail::running_handler handler_;
    std::shared_ptr<std::optional<T>> result_;
};

/// A started handler without a result.
template <>
class running<void> {
public:
    /// For the library's own.
    explicit running(detail::running_handler handler) noexcept : handler_(std::move(handler)) {}

    /// Waits for the handler's end, and throws its exception.
    void get() { handler_.wait(); }
    /// Whether it has ended.
    bool is_done() const { return handler_.is_done(); }

private:
    detail::running_handler handler_;
};

/// A context without a session, to call a handler as the function that it is:
///
///     partyline::test::fake_context context;
///     assert(add(context, 1, 2) == 3);                       // a plain function
///     assert(context.run(slow_add(context, 1, 2)) == 3);     // a coroutine
///     assert(context.progress_values().size() == 1);
///
/// The context records the handler's notifications and calls to the peer, and refuses those that a session refuses
/// (`std::invalid_argument`). Calls to the peer are answered by the functions that were given to `on_call`; others fail
/// with `errc::session_closed`. Timeouts and progress of such calls, and the limits on unsent output, are not
/// simulated.
///
/// Destroying it cancels the handlers that it has started and lets them end as far as they do so without waiting; the
/// others are destroyed.
///
/// Thread safety: one thread, but for `cancelled()` and `stopping()`.
class PARTYLINE_EXPORT fake_context final : public request_context {
public:
    /// Runs handlers on a context of its own.
    fake_context();
    /// Runs handlers on this `io_context`, which nothing else runs meanwhile and which outlives this object. Work that
    /// was started on it has ended when this object is destroyed.
    explicit fake_context(boost::asio::io_context& context);
    fake_context(const fake_context&) = delete;
    fake_context& operator=(const fake_context&) = delete;
    ~fake_context();

    /// Runs a handler to its end, at most for the time limit, on the calling thread.
    ///
    /// Fails with   as `running::get`
    template <class T>
    T run(task<T> handler)
    {
        return start(std::move(handler)).get();
    }
    /// Runs a coroutine of Asio's to its end.
    template <class T>
    T run(boost::asio::awaitable<T> handler)
    {
        return start(std::move(handler)).get();
    }

    /// Starts a handler and runs it to where it first waits, so that it can be cancelled there.
    template <class T>
    running<T> start(task<T> handler)
    {
        if constexpr (std::is_void_v<T>)
            return running<void>(spawn(std::move(handler)));
        else {
            const auto result = std::make_shared<std::optional<T>>();
            return running<T>(spawn(detail::keep_result(std::move(handler), result)), result);
        }
    }
    /// Starts a coroutine of Asio's.
    template <class T>
    running<T> start(boost::asio::awaitable<T> handler)
    {
        return start(detail::as_task(std::move(handler)));
    }

    /// Runs everything that can run without waiting.
    void run_until_idle();

    /// Cancels the request: `cancelled()` is true, and operations that started handlers await end with
    /// `operation_aborted` as soon as they run again. May also be called from within a handler.
    void cancel();
    /// Ends input: `stopping()` is true.
    void stop();

    /// Sets the name of the method, by default "method".
    void set_method(std::string name);
    /// Sets the id of the request, by default 1. Without an id, as for a notification, and for the id null there is no
    /// progress.
    void set_id(request_id id);
    /// Sets the result of `binding()`.
    void set_binding(binding_policy policy);
    /// Sets the value for `user_data()`.
    void set_user_data(std::any data);
    /// Sets the result of `peer()`. By default nothing is known of the peer.
    void set_peer(peer_identity who);
    /// Sets the result of `http_field()` for this name, in any case.
    void set_http_field(std::string name, std::string value);
    /// Sets the result of `access()`. By default null.
    void set_access(std::shared_ptr<const access_view> view);
    /// Sets the result of `link()`. By default null.
    void set_link(std::shared_ptr<session_link> its);
    /// Sets the value for `facts()`.
    void set_facts(std::any facts);
    /// Makes the peer take the result in parts.
    void take_partial_results();
    /// Sets the time limit, by default 5 s.
    void set_time_limit(std::chrono::steady_clock::duration most);

    /// A function that answers calls of a method: by its result, or by the `rpc_error` that it throws. Any other
    /// exception fails the call with `errc::bad_reply` and the text.
    using answer_function = std::function<boost::json::value(const boost::json::value& params)>;
    /// Has calls of this method answered by a function, in place of the one before. Throws `std::invalid_argument` for
    /// an empty one.
    void on_call(std::string method, answer_function answer);
    /// Has calls of this method wait until they are cancelled.
    void never_answer(std::string method);

    /// The values that the handler has sent by `progress`, in order.
    const std::vector<boost::json::value>& progress_values() const noexcept;
    /// The values that the handler has sent by `partial_result`, in order.
    const std::vector<boost::json::value>& partial_results() const noexcept;
    /// The notifications that the handler has sent by `notify`, and in batches.
    const std::vector<recorded_notification>& notifications() const noexcept;
    /// The calls that the handler has made, in batches as well, in order.
    const std::vector<recorded_call>& calls() const noexcept;

    std::string_view method() const noexcept override;
    const request_id& id() const noexcept override;
    bool cancelled() const noexcept override;
    bool stopping() const noexcept override;
    boost::asio::any_io_executor get_executor() const override;
    bool takes_partial_results() override;
    const peer_identity& peer() const noexcept override;
    std::optional<std::string_view> http_field(std::string_view name) const noexcept override;
    std::shared_ptr<const access_view> access() const override;
    std::shared_ptr<session_link> link() const override;
    sending notify(std::string method, call_params params = nullptr) override;
    binding_policy binding() const noexcept override;

private:
    detail::running_handler spawn(task<void> handler);
    std::any& session_user_data() noexcept override;
    attachments& attached_values() override;
    const std::any* request_facts() const noexcept override;
    sending tell_progress(const boost::json::value& value) override;
    sending tell_partial_result(const boost::json::value& value) override;
    void start_call(std::string method, call_params params, call_options options, call_handler done) override;
    void start_notify(std::string method, call_params params, notify_handler done) override;
    void start_batch(call_batch calls, call_options options, batch_handler done) override;

    std::shared_ptr<detail::fake_request> request_;
};

} // namespace partyline::test
