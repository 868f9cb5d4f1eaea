#pragma once

#include <boost/json/fwd.hpp>

#include <string_view>

namespace partyline {

/// The names under which one dialect of JSON-RPC does what the specification leaves open. This is plain JSON-RPC with the
/// notifications of LSP's base protocol, which every dialect but MCP shares.
struct profile {
    /// The notification that cancels a request, and the member of its params that names it.
    std::string_view cancel_method = "$/cancelRequest";
    std::string_view cancel_id = "id";
    /// The notification that tells of progress, and the member of a request's params that gives the token for it.
    std::string_view progress_method = "$/progress";
    std::string_view progress_token = "workDoneToken";
    /// The member that gives the token for results in parts.
    std::string_view partial_result_token = "partialResultToken";

    /// Whether a newer value may take the place of this one before it has been sent. Of LSP's work done progress the first
    /// and the last one have a meaning of their own.
    static bool is_replaceable(const boost::json::value& progress);

    /// Whether a member of params is meant for the session, and not for the method: no method need declare it.
    constexpr bool is_token(std::string_view member) const noexcept
    {
        return member == progress_token || member == partial_result_token;
    }
};

} // namespace partyline
