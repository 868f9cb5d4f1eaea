#pragma once

#include "protocol/json/read_string.hpp"

#include <partyline/protocol/json_text.hpp>

#include <string>
#include <string_view>

namespace partyline::mcp {

/// The members of a request's params that the protocol has, found in one pass. They are views of the params; of
/// duplicates the last one counts.
struct request_members {
    json_view name;
    json_view uri;
    json_view arguments;
    json_view meta;
    json_view input_responses;
    json_view request_state;
};

/// Of params that are an object, or empty. `expected`: an object that is likely to stand there, see `scanner::expect`.
request_members read_members(json_view params, std::string_view expected = {});

/// The arguments of a call: an empty object where there are none. Throws `rpc_error` where they are no object.
json_view given_arguments(const request_members& of);

} // namespace partyline::mcp
