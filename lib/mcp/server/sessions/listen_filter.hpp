#pragma once

#include "mcp/server/catalogue.hpp"
#include "mcp/server/sessions/topic.hpp"
#include "mcp/server/sessions/topic_core.hpp"

#include <partyline/session/request_context.hpp>

#include <boost/json/object.hpp>

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace partyline::mcp {

using key_set = std::set<std::string>;

/// What a client wants to be told of a topic.
struct wish {
    const topic* about;
    key_set keys;               // of a flag: one key, which is empty
    extension_ptr of = nullptr; // whose topic it is; null: the protocol's own
    std::shared_ptr<topic_core> core = nullptr;
};

/// What the server honours of the filter of `subscriptions/listen`. What it has nothing of is left out, as are topics
/// of extensions that this client has not declared, and their keys to which it may not listen. Throws `rpc_error`:
/// there are more keys than may be, something is of another type, a scope is lacking; and what an extension's check
/// throws.
std::vector<wish> read_filter(const boost::json::object& filter, const catalogue& of, const request_context& rpc);
/// As it is acknowledged.
boost::json::object write_filter(const std::vector<wish>& honoured);
/// What it takes to keep.
std::size_t bytes_of(const std::vector<wish>& honoured) noexcept;

} // namespace partyline::mcp
