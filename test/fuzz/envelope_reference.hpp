#pragma once

#include "fuzz/json_tree.hpp"

#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>

#include <string_view>

namespace partyline::test {

/// What the rules say about one JSON value as a message, worked out on the parsed value.
struct envelope_reference {
    partyline::message_type what = partyline::message_type::bad;
    defect::kind problem = defect::kind::invalid;
    /// Null without a usable one.
    const json_tree* id = nullptr;
    bool looks_like_response = false;
};

/// What can be an id, without a look at its length.
bool is_id(const json_tree& value);

/// Of a request, notification or response, or what is none of them. `text` is where the value stands. False when it
/// can't be told, since the length of an id with escapes is not known.
bool judge(const json_tree& value, std::string_view text, const limits& bounds, envelope_reference& out);

/// The same of what can't be read: of an array, whether it is one of responses, and the id of the first one.
bool judge_unread(const json_tree& value, std::string_view text, const limits& bounds, envelope_reference& out);

} // namespace partyline::test
