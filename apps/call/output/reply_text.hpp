#pragma once

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <string>
#include <string_view>

namespace call {

/// A reply as one line of JSON, under the label.
std::string result_line(std::string_view label, const partyline::json_text& result);
std::string error_line(std::string_view label, const partyline::error_object& error);

/// An error for a person to read: "error -32602: Invalid params", and `data` behind it. One that says that there is no
/// such method names it: "error -32601: Method not found: "frobnicate"". A long one is cut.
std::string error_words(const partyline::error_object& error, std::string_view method);

} // namespace call
