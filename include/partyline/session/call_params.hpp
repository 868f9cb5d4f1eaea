#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/value.hpp>
#include <boost/json/value_ref.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>

namespace partyline {

/// The params of a call or a notification to the peer: an array, an object, or null for none (JSON-RPC 2.0 §4.2).
class call_params {
public:
    call_params() = default;
    call_params(std::nullptr_t) {}
    call_params(boost::json::value params) : params_(std::move(params)) {}
    call_params(boost::json::array params) : params_(boost::json::value(std::move(params))) {}
    call_params(boost::json::object params) : params_(boost::json::value(std::move(params))) {}
    /// `{1, 2}` is an array and `{{"a", 1}, {"b", 2}}` an object, as of a `json::value`.
    call_params(std::initializer_list<boost::json::value_ref> params) : params_(boost::json::value(params)) {}
    /// Text that is sent as it is, checked first unless it came in a message.
    call_params(json_text params) : params_(std::move(params)) {}

    /// Appends the text, nothing for none. Fails with `errc::bad_params` for what is neither array, object nor null, or
    /// has no JSON text within `depth` levels.
    error_code append_to(std::string& out, std::size_t depth) const;

private:
    std::variant<boost::json::value, json_text> params_;
};

} // namespace partyline
