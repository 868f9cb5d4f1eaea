#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/content.hpp>
#include <partyline/mcp/server/prompt.hpp>
#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/json_sink.hpp>
#include <partyline/session/handler.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp::detail {

class served_call;

/// Makes the result of a call from a handler's return value. The members around the result, and those that a revision
/// leaves out, are known here, and by no template.
///
/// Flow: one of the functions that take a result, once.
class PARTYLINE_EXPORT call_output final : public result_writer {
public:
    /// `out`, which is empty, lives longer.
    call_output(served_call& of, byte_buffer& out) noexcept : of_(of), out_(out) {}

    // Results of a tool.

    /// A result without content.
    void put_nothing();
    void put_text(std::string_view text);
    /// The output of `by`, as a structured result and as text; `is_wrapped`: as the member `result` of an object, since
    /// it is no object.
    void put_structured(partyline::detail::write_function by, const void* from, bool is_wrapped);
    void put(const tool_result& result);

    // Results of a resource and of a prompt.

    void put(const std::vector<resource_contents>& contents);
    void put(const prompt_result& result);

    // A structured result as it stands.
    void write(const boost::json::value& result) override;
    void write(json_view result) override;
    void write(const json_text& result) override;

    /// An error in place of a result: the arguments can't be read.
    void refuse(const error_object& error) override { refusal_ = error; }
    const std::optional<error_object>& refusal() const noexcept { return refusal_; }

    /// The text of the result so far, an object that has not been closed: `{"content":[...]`.
    byte_buffer& text() noexcept { return out_; }
    bool is_error() const noexcept { return is_error_; }
    /// The members of its `_meta`.
    const std::string& meta_members() const noexcept { return meta_members_; }
    /// Drops the result so far.
    void clear() noexcept;

private:
    void put_structured(json_view text, bool is_wrapped);
    void append_structured(std::string_view text, bool is_wrapped);
    void put_meta(boost::json::object meta);
    bool must_wrap(std::string_view text) const noexcept;

    served_call& of_;
    byte_buffer& out_;
    std::string meta_members_;
    bool is_error_ = false;
    std::optional<error_object> refusal_;
};

} // namespace partyline::mcp::detail
