#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/framing.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/session/binding.hpp>

#include <boost/json/fwd.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace partyline {

class lifecycle;
class message_reader;

/// Progress that the peer reports about a call of ours. The views are those of the notification's params.
struct told_progress {
    std::string_view token; ///< the exact text of the token, which is a call's id
    json_view value;        ///< empty where there is none
};

/// A protocol on top of JSON-RPC: its choices where JSON-RPC leaves one, and its own rules. The base class is plain
/// JSON-RPC 2.0 with the notifications for cancellation and progress of LSP's base protocol. Another protocol derives
/// from it and sets the differences; see lsp/profile.hpp.
///
/// A session is given a pointer to a profile that lives as long as the program. A profile does not change: state that
/// changes while a session runs belongs to its `lifecycle`.
///
/// Thread safety: all of it from any thread.
class PARTYLINE_EXPORT profile {
public:
    /// The notification that cancels a request.
    std::string_view cancel_method = "$/cancelRequest";
    /// The member of its params that has the id of the request.
    std::string_view cancel_id = "id";
    /// The member that has the reason, in plain words. Empty: no reason is sent.
    std::string_view cancel_reason = {};
    /// The notification that reports progress.
    std::string_view progress_method = "$/progress";
    /// The member of its params that has the token of the request.
    std::string_view progress_id = "token";
    /// The member that has the value. Empty: the value is an object, whose members stand beside the token.
    std::string_view progress_value = "value";
    /// The members of a request's params that give the tokens for its progress and for results in parts. The members
    /// are in the object `token_parent` there, or, where that is empty, among the params themselves. Empty: there is
    /// none.
    std::string_view token_parent = {};
    /// The member with the token for progress.
    std::string_view progress_token = "workDoneToken";
    /// The member with the token for results in parts.
    std::string_view partial_result_token = "partialResultToken";
    /// The member of object params that is about the request itself and not for its method: an object, in which a
    /// `traceparent` (W3C Trace Context) may stand. Empty: there is none.
    std::string_view metadata = "_meta";
    /// Whether progress of a request that gives no token is sent under the request's id.
    bool id_is_progress_token = true;
    /// Whether a request that the peer has cancelled is answered. Where not, its id is free at once, and no more of its
    /// messages are sent, except those that are in the outbox already, and a reply that waits for room.
    bool answers_cancelled = true;
    /// The form of an id that could not be read, in an error reply.
    unknown_id id_when_unknown = unknown_id::null;
    /// Whether an id may be null, or a number that is no integer (JSON-RPC 2.0 §4 advises against both).
    bool allows_null_and_fraction_ids = true;
    /// Whether params may be an array. Where not, a request with one is answered -32602, a notification dropped, and a
    /// call of ours fails with `errc::bad_params`.
    bool allows_array_params = true;
    /// Whether several messages may come as one array (JSON-RPC 2.0 §6). Where not, `batch` fails with
    /// `errc::bad_params`.
    bool allows_batches = true;
    /// The conversion of params and results to and from C++ values, where neither type nor method sets it.
    binding_policy binding = {};
    /// The framing, where `session_options::framing` is unset.
    framing_kind framing = framing_kind::lines;

    /// Makes the lifecycle of one session, which decides which message may come when. Null: any message may come at any
    /// time.
    virtual std::shared_ptr<lifecycle> make_lifecycle() const;

    /// Throws `std::invalid_argument` for a value of progress that this protocol does not have. Plain JSON-RPC has any
    /// value.
    virtual void check_progress(const boost::json::value& value) const;

    /// Finds the key of the id (see `request_id::key`) that a cancel with these params names; empty when there is none.
    std::string_view read_cancel(json_view params, message_reader& reader) const;
    /// Writes the params of a cancel of a call of ours. `id` is JSON text.
    void write_cancel(byte_buffer& out, std::string_view id, std::string_view reason) const;
    /// Reads the params of a progress notification; empty when they are none.
    std::optional<told_progress> read_progress(json_view params, message_reader& reader) const;
    /// Writes the params of a progress notification of ours, or returns why they can't be written. `token` is JSON
    /// text. Throws as `check_progress`.
    std::optional<unwritable> write_progress(byte_buffer& out, std::string_view token, const boost::json::value& value,
                                             std::size_t max_depth) const;

    /// Whether a member of a request's params is meant for the session, and not for the method: no method need declare
    /// it.
    constexpr bool is_own_member(std::string_view name) const noexcept
    {
        if (!metadata.empty() && name == metadata)
            return true;
        if (!token_parent.empty())
            return name == token_parent;
        return name == progress_token || name == partial_result_token;
    }

protected:
    constexpr profile() noexcept = default;
    ~profile() = default;
};

/// Plain JSON-RPC 2.0.
class plain_protocol final : public profile {};

/// The default of `session_options::profile`.
inline constexpr plain_protocol plain_profile;

} // namespace partyline
