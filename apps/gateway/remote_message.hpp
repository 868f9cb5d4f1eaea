#pragma once

#include "gateway/http_call.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/message.hpp>

#include <string>
#include <string_view>

namespace gateway {

/// A request as text; a notification where `id`, the text of one, is empty.
std::string message_text(std::string_view id, std::string_view method, const partyline::json_text& params);
/// A response to a request with the id of this text: `member` is "result" or "error".
std::string response_text(std::string_view id, std::string_view member, std::string_view value);

/// The fields that repeat what a request of 2026-07-28 says; empty for one that does not say its version.
field_list modern_fields(const std::string& method, const partyline::json_text& params);

/// What a server that does not answer is to the host.
partyline::rpc_error no_answer(const std::string& why);
/// The error that a reply has.
partyline::rpc_error error_in(const partyline::message& m);

} // namespace gateway
