#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/system/system_error.hpp>

#include <exception>
#include <string>
#include <utility>
#include <variant>

namespace partyline {

/// The outcome of a call: a result, the error that the peer answered, or a local failure, whose code is the other
/// argument of the completion handler.
///
///     peer.call<int>("add", args(2, 40))([](partyline::error_code, partyline::call_result<int> sum) {
///         if (sum)
///             show(std::to_string(*sum));
///         else if (sum.error())
///             show("the peer says: " + sum.message());
///         else
///             show(sum.message()); // on this side
///     });
template <class T>
class call_result {
public:
    /// A local failure: the code, and details in words, such as the last lines that a server which died wrote to its
    /// standard error. Mostly there are no details.
    struct failure {
        /// The code; never success.
        error_code code;
        /// The details; empty where there are none.
        std::string details;
    };

    /// The outcome without a call: `errc::session_closed`.
    call_result() : outcome_(failure{errc::session_closed, {}}) {}
    /// The outcome of a call with this result.
    call_result(T result) : outcome_(std::in_place_index<0>, std::move(result)) {}
    /// The outcome of a call that the peer has answered with an error.
    call_result(error_object error) : outcome_(std::in_place_index<1>, std::move(error)) {}
    /// The outcome of a call that has failed locally.
    call_result(failure failed) : outcome_(std::in_place_index<2>, std::move(failed)) {}

    /// Whether there is a result.
    bool has_value() const noexcept { return outcome_.index() == 0; }
    /// Whether there is a result.
    explicit operator bool() const noexcept { return has_value(); }

    /// The result. Throws `rpc_error` with the peer's error when it answered one; `system_error` with the details after
    /// a local failure.
    T& value() &
    {
        check();
        return std::get<0>(outcome_);
    }
    /// The result. Throws as above.
    const T& value() const&
    {
        check();
        return std::get<0>(outcome_);
    }
    /// The result, to be moved out. Throws as above.
    T&& value() &&
    {
        check();
        return std::get<0>(std::move(outcome_));
    }

    /// As `value()`.
    T& operator*() & { return value(); }
    /// As `value()`.
    const T& operator*() const& { return value(); }
    /// As `value()`.
    T&& operator*() && { return std::move(*this).value(); }
    /// As `value()`.
    T* operator->() { return &value(); }
    /// As `value()`.
    const T* operator->() const { return &value(); }

    /// The exception that `value()` throws; null where it throws none.
    std::exception_ptr exception() const
    {
        if (const error_object* const said = error())
            return std::make_exception_ptr(rpc_error(*said));
        if (const failure* const failed = std::get_if<2>(&outcome_))
            return std::make_exception_ptr(failed->details.empty()
                                               ? boost::system::system_error(failed->code)
                                               : boost::system::system_error(failed->code, failed->details));
        return nullptr;
    }

    /// The error that the peer answered; null when it did not.
    const error_object* error() const noexcept { return std::get_if<1>(&outcome_); }

    /// The local failure; none: success.
    error_code code() const noexcept
    {
        const failure* const failed = std::get_if<2>(&outcome_);
        return failed ? failed->code : error_code();
    }
    /// The error or the local failure, as one text for people: the number of the peer's error where the peer has sent
    /// no message. Empty where there is a result.
    std::string message() const
    {
        if (const error_object* const said = error())
            return said->message.empty() ? "error " + std::to_string(said->code) : said->message;
        const failure* const failed = std::get_if<2>(&outcome_);
        if (!failed)
            return {};
        return failed->details.empty() ? failed->code.message() : failed->details + ": " + failed->code.message();
    }
    /// The details of a local failure in words; mostly empty.
    const std::string& details() const noexcept
    {
        static const std::string none;
        const failure* const failed = std::get_if<2>(&outcome_);
        return failed ? failed->details : none;
    }

private:
    void check() const
    {
        if (!has_value())
            std::rethrow_exception(exception());
    }

    std::variant<T, error_object, failure> outcome_;
};

/// The outcome of a call whose result is ignored.
template <>
class call_result<void> : public call_result<std::monostate> {
public:
    using call_result<std::monostate>::call_result;

    /// Throws as the others do.
    void value() const { call_result<std::monostate>::value(); }
};

/// A reply as it came: the exact text of its result, or the error.
using response = call_result<json_text>;

} // namespace partyline
