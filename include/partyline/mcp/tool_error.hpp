#pragma once

#include <partyline/config.hpp>

#include <boost/json/object.hpp>

#include <stdexcept>
#include <utility>

namespace partyline::mcp {

/// Thrown by a tool whose call has failed: the model gets this text, as a result with `isError`, and may do better. (A
/// `rpc_error` is for programs: the call is answered with that error. Any other exception is reported as a failure
/// without its text.)
///
///     server.add_tool("read", "Reads a note.", [](day_args day) {
///         if (!has_note(day.date))
///             throw mcp::tool_error("There is no note of " + day.date + ".");
///         return read_note(day.date);
///     });
class PARTYLINE_EXPORT tool_error : public std::runtime_error {
public:
    using runtime_error::runtime_error;
};

/// Thrown by a handler that needs something that the client has not declared, for example
/// `throw mcp::missing_capability({{"sampling", json::object()}})`. From 2026-07-28 on the call is answered with an error
/// that names the capability; before that, with a failed result. Functions that ask the client throw it by themselves.
class PARTYLINE_EXPORT missing_capability : public std::exception {
public:
    /// `required` is the capability as a client would declare it.
    explicit missing_capability(boost::json::object required) : required_(std::move(required)) {}

    /// The capability that a client would have to declare.
    const boost::json::object& required() const noexcept { return required_; }
    /// A fixed text: `required()` says more.
    const char* what() const noexcept override { return "the client lacks a capability"; }

private:
    boost::json::object required_;
};

} // namespace partyline::mcp
