#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/rpc/detail/read_result.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/testing/errors.hpp>

#include <boost/json/value.hpp>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace partyline::test {

namespace detail {

struct call_record;

/// A call of a `client`, without the type of its result.
class PARTYLINE_EXPORT pending_call {
public:
    explicit pending_call(std::shared_ptr<call_record> record) noexcept : record_(std::move(record)) {}

    bool is_done() const;
    void cancel();
    const std::vector<boost::json::value>& progress() const;
    /// Waits for the reply, whose failure is explained.
    response wait();
    error_object error();
    [[noreturn]] void refuse_result(const std::string& problem) const;

private:
    call_record& record() const;

    std::shared_ptr<call_record> record_; // null when moved from
};

} // namespace detail

/// A call that a `client` has started and that may not have ended yet, so that calls can overlap and be cancelled.
/// Destroying it changes nothing: the call goes on.
///
/// Movable. Misuse throws `std::logic_error`: use of a call that was moved from, waiting for a call that is in flight
/// when its client is gone.
/// Thread safety: as its client.
template <class T>
class pending {
public:
    /// For the library's own.
    explicit pending(detail::pending_call call) noexcept : call_(std::move(call)) {}
    pending(pending&&) noexcept = default;
    pending& operator=(pending&&) noexcept = default;

    /// Waits for the result, at most the client's time limit. May be called again.
    ///
    /// Fails with   rpc_error: the error that the server answered; timed_out; boost::system::system_error for local
    ///              failures, whose text has the method and the details: errc::not_convertible for a result of another
    ///              type, errc::peer_closed when the server has ended, errc::bad_params, errc::message_too_large
    T get()
    {
        const response reply = call_.wait();
        std::string problem;
        auto result = partyline::detail::result_reader<T>::read(reply.value(), problem);
        if (!result)
            call_.refuse_result(problem);
        if constexpr (!std::is_void_v<T>)
            return std::move(*result);
    }

    /// Waits for the error that the server answers.
    ///
    /// Fails with   unexpected_result; otherwise as `get`
    error_object error() { return call_.error(); }

    /// Has the server cancel the request, by the profile's notification, and goes on waiting for the server's answer:
    /// `get` returns the result that the handler comes to all the same, or throws `rpc_error` -32800. Under a profile
    /// that does not answer cancelled requests, `get` throws `system_error` with `operation_aborted`. The cancel goes
    /// out when the client runs next; it changes nothing when the call has ended.
    void cancel() { call_.cancel(); }

    /// Whether the reply has come. Replies come only while the client runs: see `client::run_until_idle`.
    bool is_done() const { return call_.is_done(); }

    /// The progress of this call so far, in order.
    const std::vector<boost::json::value>& progress() const { return call_.progress(); }

private:
    detail::pending_call call_;
};

} // namespace partyline::test
