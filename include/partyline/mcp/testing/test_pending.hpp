#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/testing/test_records.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

class served_client;

namespace detail {

/// An operation of a test client, without the type of its result.
class PARTYLINE_EXPORT test_operation {
public:
    test_operation(std::weak_ptr<served_client> owner, std::string what)
        : owner_(std::move(owner)), what_(std::move(what))
    {
    }
    virtual ~test_operation() = default;
    test_operation(const test_operation&) = delete;
    test_operation& operator=(const test_operation&) = delete;

    virtual bool is_done() const noexcept = 0;

    /// Runs until the operation has completed. Throws as `pending_answer::get`, but not for the outcome of the
    /// operation.
    void wait();
    [[noreturn]] void refuse_result() const;
    void cancel() { cancel_.emit(boost::asio::cancellation_type::all); }

    const std::string& what() const noexcept { return what_; }
    boost::asio::cancellation_slot slot() noexcept { return cancel_.slot(); }
    std::vector<seen_progress> progress;

private:
    const std::weak_ptr<served_client> owner_;
    const std::string what_;
    boost::asio::cancellation_signal cancel_;
};

template <class T>
class typed_test_operation final : public test_operation {
public:
    using test_operation::test_operation;

    bool is_done() const noexcept override { return outcome.has_value(); }

    std::optional<call_result<T>> outcome;
};

} // namespace detail

/// A call that a `test_client` has started and that may not have ended yet, so that calls can overlap and be cancelled.
/// Destroying it changes nothing: the call goes on.
///
/// Movable. Misuse throws `std::logic_error`: waiting for a call that is in flight when its client is gone.
/// Thread safety: as its client.
template <class T>
class pending_answer {
public:
    /// For the library's own.
    explicit pending_answer(std::shared_ptr<detail::typed_test_operation<T>> of) noexcept : of_(std::move(of)) {}

    /// Waits for the answer, at most the client's time limit. May be called again.
    ///
    /// Fails with   rpc_error: the error that the server answered; unanswered_question; the exception of a function
    ///              that was to answer a question; test::timed_out; boost::system::system_error for local failures,
    ///              whose text names the operation and has the details: see `client`
    T get()
    {
        of_->wait();
        return of_->outcome->value();
    }

    /// Waits for the error that the server answers.
    ///
    /// Fails with   test::unexpected_result; otherwise as `get`
    error_object error()
    {
        of_->wait();
        if (const error_object* const answered = of_->outcome->error())
            return *answered;
        static_cast<void>(of_->outcome->value()); // throws a local failure
        of_->refuse_result();
    }

    /// Has the server cancel the call: `get` throws `system_error` with `operation_aborted` then. The cancel goes out
    /// when the client runs next; it changes nothing when the call has ended.
    void cancel() { of_->cancel(); }

    /// Whether the answer has come. Answers come only while the client runs: see `test_client::run_until_idle`.
    bool is_done() const { return of_->is_done(); }

    /// The progress of this call so far, in order.
    const std::vector<seen_progress>& progress() const { return of_->progress; }

private:
    std::shared_ptr<detail::typed_test_operation<T>> of_;
};

} // namespace partyline::mcp
