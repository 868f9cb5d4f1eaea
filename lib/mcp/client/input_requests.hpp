#pragma once

#include "mcp/client/time_limit.hpp"

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/task.hpp>

#include <boost/json/object.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp {

class client_core;

/// What a server wants to know before it answers a request (2026-07-28).
struct input_request {
    boost::json::object questions; ///< by key
    std::string state;             ///< the text of `requestState`; empty without
};

/// Of a result and its `resultType`. Empty where it is complete. What is neither throws `failed_call`.
std::optional<input_request> read_input_request(std::string_view method, const std::string& type,
                                                const json_text& result);

/// The members by which the request is made again: the answers of the handlers, all asked at a time, and the state as
/// it came. Fails with `errc::timeout` when the time is over.
task<std::string> answer_input_request(std::shared_ptr<client_core> of, std::string method, input_request asked,
                                       time_limit limit);

/// The answers of the handlers to questions by key, all asked at a time. `from` says whose they are, for errors. Fails
/// with `errc::timeout` when the time is over.
task<boost::json::object> answer_questions(std::shared_ptr<client_core> of, std::string from,
                                           boost::json::object questions, time_limit limit);

} // namespace partyline::mcp
