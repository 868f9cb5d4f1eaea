#pragma once

#include <partyline/config.hpp>
#include <partyline/session/profile.hpp>

namespace partyline::mcp {

/// The Model Context Protocol as a profile, without a lifecycle: one message a line; ids are
/// integers and strings; params are objects; a cancelled request is not answered; progress is told under the token that
/// a request gives in its `_meta`, and its value is `{progress, total?, message?}`.
class PARTYLINE_EXPORT base_protocol : public partyline::profile {
public:
    /// Sets what is different from plain JSON-RPC.
    constexpr base_protocol() noexcept
    {
        cancel_method = "notifications/cancelled";
        progress_method = "notifications/progress";
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

    std::string_view read_cancel(json_view params, message_reader& reader) const override;
    void write_cancel(byte_buffer& out, std::string_view id, std::string_view reason) const override;
    std::optional<told_progress> read_progress(json_view params, message_reader& reader) const override;
    /// `value` is an object with `progress`.
    std::optional<unwritable> write_progress(byte_buffer& out, std::string_view token, const boost::json::value& value,
                                             std::size_t max_depth) const override;
    bool is_replaceable(const boost::json::value& progress) const override;

protected:
    ~base_protocol() = default;
};

} // namespace partyline::mcp
