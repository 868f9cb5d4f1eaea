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

/// The keys of a topic that a client wants to listen to.
struct wish {
    const topic* about;
    key_set keys;               // of a flag: one key, which is empty
    extension_ptr of = nullptr; // whose topic it is; null: the protocol's own
    std::shared_ptr<topic_core> core = nullptr;
};

/// Reads the part of the filter of `subscriptions/listen` that the server honours: without topics of features that it
/// does not have, topics of extensions that this client has not declared, and keys that the client may not listen to.
/// Throws `rpc_error` for too many keys, a member of another type, and a missing scope; and what `may_listen` throws.
std::vector<wish> read_filter(const boost::json::object& filter, const catalogue& of, const request_context& rpc);
/// Makes the filter of the acknowledgment.
boost::json::object write_filter(const std::vector<wish>& honoured);
/// How much they count for in `server_options::max_subscription_bytes`.
std::size_t bytes_of(const std::vector<wish>& honoured) noexcept;

} // namespace partyline::mcp
