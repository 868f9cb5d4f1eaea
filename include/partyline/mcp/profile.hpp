#pragma once

#include <partyline/config.hpp>
#include <partyline/session/profile.hpp>

namespace partyline::mcp {

/// The Model Context Protocol as a profile, without a lifecycle: one message a line; ids are integers and strings;
/// params are objects; a cancelled request is not answered; progress is reported under the token that a request gives
/// in its `_meta`, and its value is `{progress, total?, message?}`.
class PARTYLINE_EXPORT base_protocol : public partyline::profile {
public:
    /// Sets the differences from plain JSON-RPC.
    constexpr base_protocol() noexcept
    {
        cancel_method = "notifications/cancelled";
        cancel_id = "requestId";
        cancel_reason = "reason";
        progress_method = "notifications/progress";
        progress_id = "progressToken";
        progress_value = {};
        token_parent = "_meta";
        progress_token = "progressToken";
        partial_result_token = {};
        id_is_progress_token = false;
        answers_cancelled = false;
        id_when_unknown = unknown_id::omitted;
        allows_null_and_fraction_ids = false;
        allows_array_params = false;
        framing = framing_kind::lines;
    }

    /// Progress is an object with the number `progress`.
    void check_progress(const boost::json::value& value) const override;

protected:
    ~base_protocol() = default;
};

} // namespace partyline::mcp
