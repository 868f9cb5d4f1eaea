#include "gateway/open_requests.hpp"

#include "session/requests/error_replies.hpp"

#include <partyline/mcp/profile.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/session/profile.hpp>

#include <algorithm>

namespace gateway {

using partyline::message;
using partyline::message_type;

namespace {

// What a host and its server speak is theirs to know: either's cancels are found by their names.
struct mcp_protocol final : partyline::mcp::base_protocol {};
const mcp_protocol mcp;
const partyline::plain_protocol plain;

std::string error_reply(std::string_view id, const partyline::error_object& error)
{
    partyline::byte_buffer out;
    partyline::write_error(out, id, error, partyline::limits().depth);
    return std::string(out.view());
}

} // namespace

std::string open_requests::note_asked(const partyline::frame& come)
{
    if (come.is_oversize && come.looks_like_response)
        return {};
    if (come.is_oversize)
        return error_reply(come.id, partyline::oversize_error(bounds_.message_bytes, come.size));
    if (!come.problem.empty())
        return error_reply({}, partyline::header_error(come.problem));
    const message& read = reader_.read(come.text);
    if (read.problem.what == partyline::defect::kind::not_json)
        return error_reply({}, partyline::defect_error(read.problem));
    for_each(read, [this](const message& each) {
        if (each.type == message_type::request)
            owed_.insert_or_assign(std::string(each.id_key), request{std::string(each.id)});
        else if (each.type == message_type::notification)
            note_cancelled(each);
    });
    return {};
}

// A server of MCP does not reply any more; others do, or should.
void open_requests::note_cancelled(const message& told)
{
    if (told.method == mcp.cancel_method) {
        if (const auto found = owed_.find(mcp.read_cancel(told.params, reader_)); found != owed_.end())
            owed_.erase(found);
    } else if (told.method == plain.cancel_method) {
        if (const auto found = owed_.find(plain.read_cancel(told.params, reader_)); found != owed_.end())
            found->second.is_cancelled = true;
    }
}

void open_requests::note_answered(std::string_view text)
{
    for_each(reader_.read(text), [this](const message& each) {
        if (const auto found = owed_.find(each.id_key); each.type == message_type::reply && found != owed_.end())
            owed_.erase(found);
    });
}

bool open_requests::are_cancelled() const noexcept
{
    return std::ranges::all_of(owed_, [](const auto& one) { return one.second.is_cancelled; });
}

std::vector<std::string> open_requests::take_failures()
{
    std::vector<std::string> all;
    for (const auto& [key, one] : owed_)
        all.push_back(error_reply(one.id, {partyline::error_codes::internal_error, "The server did not answer", {}}));
    owed_.clear();
    return all;
}

template <class Take>
void open_requests::for_each(const message& read, Take take)
{
    if (read.type != message_type::batch)
        return take(read);
    for (const std::string_view element : reader_.elements())
        take(reader_.read_element(element));
}

} // namespace gateway
