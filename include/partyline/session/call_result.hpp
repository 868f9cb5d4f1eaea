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

/// What a call came to: a result, the error that the peer answered, or a local failure, whose code stands beside this
/// where the call completed.
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
    /// What is wrong on our side: the code, and what else is known in words, such as the last lines that a server which
    /// died wrote to its standard error. Mostly there are none.
    struct failure {
        /// Never success.
        error_code code;
        /// Empty where nothing else is known.
        std::string details;
    };

    /// No call at all: `errc::session_closed`.
    call_result() : outcome_(failure{errc::session_closed, {}}) {}
    /// The peer has answered this.
    call_result(T result) : outcome_(std::in_place_index<0>, std::move(result)) {}
    /// The peer has answered with an error.
    call_result(error_object error) : outcome_(std::in_place_index<1>, std::move(error)) {}
    /// There is no answer that is good for anything.
    call_result(failure failed) : outcome_(std::in_place_index<2>, std::move(failed)) {}

    /// Whether there is a result.
    bool has_value() const noexcept { return outcome_.index() == 0; }
    /// The same.
    explicit operator bool() const noexcept { return has_value(); }

    /// The result. Throws `rpc_error` with the peer's error when it answered one; `system_error` with the details after
    /// a local failure.
    T& value() &
    {
        check();
        return std::get<0>(outcome_);
    }
    /// The same.
    const T& value() const&
    {
        check();
        return std::get<0>(outcome_);
    }
    /// The same, to be moved out.
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

    /// What `value()` throws; null where it throws nothing.
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
    /// What is wrong, in one text for people, whether the peer has answered it or it failed here: the number of its
    /// error where the peer said nothing more. Empty where there is a result.
    std::string message() const
    {
        if (const error_object* const said = error())
            return said->message.empty() ? "error " + std::to_string(said->code) : said->message;
        const failure* const failed = std::get_if<2>(&outcome_);
        if (!failed)
            return {};
        return failed->details.empty() ? failed->code.message() : failed->details + ": " + failed->code.message();
    }
    /// What is known of a local failure in words; empty mostly.
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

/// What a call came to whose result is not looked at.
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
