#include "telemetry/json_text.hpp"
#include "telemetry/mcp_names.hpp"
#include "telemetry/spans/span.hpp"

#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/telemetry/call_spans.hpp>

#include <boost/asio/error.hpp>
#include <boost/json/value.hpp>
#include <boost/system/errc.hpp>

#include <chrono>
#include <new>
#include <string>
#include <tuple>
#include <utility>

namespace partyline::telemetry {
namespace {

using clock = std::chrono::steady_clock;

// A short text among the members of an object; empty where there is none.
std::string member_text(message_reader& reader, json_view object, std::string_view name)
{
    const json_view found = reader.find_member(object, name);
    if (!found.text().starts_with('"') || found.text().size() > 4 * longest_shown)
        return {};
    const auto value = found.try_to_value(); // fails for a lone surrogate
    return value ? std::string(kept(value->get_string())) : std::string();
}

void read_params(span& one, json_view params)
{
    if (!params.text().starts_with('{'))
        return;
    message_reader reader{limits()};
    if (has_key(one.method))
        one.key = member_text(reader, params, key_member);
    if (params.text().find(version_member) == std::string_view::npos) // most params have none
        return;
    if (const json_view meta = reader.find_member(params, meta_member); meta.text().starts_with('{'))
        one.protocol_version = member_text(reader, meta, version_member);
}

// Without memory to look it is none.
bool is_tool_error(const span& one, const json_text& result) noexcept
try {
    if (one.method != call_tool || !result.is_checked() || !result.text().starts_with('{'))
        return false;
    message_reader reader{limits()};
    return reader.find_member(json_view::checked(result.text()), "isError").text() == "true";
} catch (const std::bad_alloc&) {
    return false;
}

// What was not sent, or what the peer would not have, was refused.
std::pair<served_outcome, std::string_view> end_of(error_code failed) noexcept
{
    if (failed == errc::timeout)
        return {served_outcome::lost, "timeout"};
    if (failed == boost::asio::error::operation_aborted)
        return {served_outcome::cancelled, {}};
    for (const errc refusal : {errc::refused, errc::bad_params, errc::too_many_calls, errc::not_running, errc::gave_up})
        if (failed == refusal)
            return {served_outcome::refused, {}};
    if (failed == boost::system::errc::permission_denied) // http::client_errc::unauthorized
        return {served_outcome::refused, {}};
    if (failed == errc::bad_reply || failed == errc::not_convertible)
        return {served_outcome::lost, "bad_reply"};
    if (failed == errc::http_status)
        return {served_outcome::lost, "http_status"};
    return {served_outcome::lost, {}};
}

} // namespace

struct [[gnu::visibility("hidden")]] call_span::record {
    std::shared_ptr<span_writer> to;
    span one;
    clock::time_point began;
};

call_span::call_span(std::shared_ptr<span_writer> to, const trace_context* parent, std::string_view method,
                     json_view params)
    : trace_(parent ? parent->child() : trace_context::make_root())
{
    if (!trace_.is_sampled())
        return;
    try {
        auto made = std::make_unique<record>();
        made->began = clock::now();
        made->one.kind = span_kind::client;
        place(made->one, trace_);
        made->one.method = kept(method);
        read_params(made->one, params);
        made->to = std::move(to);
        record_ = std::move(made);
    } catch (const std::bad_alloc&) {
        to->drop(1);
    }
}

call_span::~call_span()
{
    end(errc::session_closed, {});
}

// Without memory for it, it stays unknown.
void call_span::set_protocol_version(std::string_view revision) noexcept
try {
    if (record_ && record_->one.protocol_version.empty())
        record_->one.protocol_version = kept(revision);
} catch (const std::bad_alloc&) {
}

void call_span::end(error_code failed, const response& reply) noexcept
{
    if (!record_)
        return;
    span& one = record_->one;
    if (const error_code why = failed ? failed : reply.code())
        std::tie(one.outcome, one.failure) = end_of(why);
    else if (const error_object* const told = reply.error()) {
        one.outcome = served_outcome::error;
        one.error_code = told->code;
    } else if (is_tool_error(one, reply.value()))
        one.outcome = served_outcome::tool_error;
    finish();
}

void call_span::discard() noexcept
{
    record_.reset();
}

void call_span::refuse() noexcept
{
    if (!record_)
        return;
    record_->one.outcome = served_outcome::refused;
    finish();
}

void call_span::finish() noexcept
{
    const std::unique_ptr<record> ended = std::move(record_);
    ended->one.ended = std::chrono::system_clock::now().time_since_epoch();
    ended->one.began = ended->one.ended - (clock::now() - ended->began);
    ended->to->add(std::move(ended->one));
}

} // namespace partyline::telemetry
