#pragma once

#include <partyline/protocol/framing.hpp>

#include <boost/json/fwd.hpp>

#include <memory>
#include <string_view>

namespace partyline {

class lifecycle;

/// A dialect of JSON-RPC: what it leaves open, and what one protocol on top of it fixes. This one is plain JSON-RPC 2.0 with
/// the notifications for cancellation and progress of LSP's base protocol; see lsp/profile.hpp for a whole other one.
///
/// A session is given a pointer to one that lives as long as the program.
struct profile {
    /// The notification that cancels a request, and the member of its params that names it.
    std::string_view cancel_method = "$/cancelRequest";
    std::string_view cancel_id = "id";
    /// The notification that tells of progress, and the member of a request's params that gives the token for it.
    std::string_view progress_method = "$/progress";
    std::string_view progress_token = "workDoneToken";
    /// The member that gives the token for results in parts.
    std::string_view partial_result_token = "partialResultToken";
    /// Whether a request that gives no token for its progress is told of it under its id.
    bool is_id_token = true;
    /// Whether several messages may come as one array (JSON-RPC 2.0 §6). Where not, `async_batch` fails with `errc::bad_params`.
    bool has_batches = true;
    /// Whether an id may be null, or a number that is no integer (JSON-RPC 2.0 §4 advises against both).
    bool has_odd_ids = true;
    /// How messages are told apart where `session_options::framing` does not say.
    framing_kind framing = framing_kind::lines;
    /// Makes what knows, for one session, which message may come when. Null: any may at any time.
    std::shared_ptr<lifecycle> (*make_lifecycle)() = nullptr;

    /// Whether a newer value may take the place of this one before it has been sent. Of LSP's work done progress the first
    /// and the last one have a meaning of their own.
    static bool is_replaceable(const boost::json::value& progress);

    /// Whether a member of params is meant for the session, and not for the method: no method need declare it.
    constexpr bool is_token(std::string_view member) const noexcept
    {
        return member == progress_token || member == partial_result_token;
    }
};

inline constexpr profile plain_profile;

} // namespace partyline
