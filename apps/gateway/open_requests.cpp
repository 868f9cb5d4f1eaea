#include "gateway/open_requests.hpp"

#include "session/requests/error_replies.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/writer.hpp>

namespace gateway {

using partyline::message_type;

namespace {

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
    const partyline::message& read = reader_.read(come.text);
    if (read.problem.what == partyline::defect::kind::not_json)
        return error_reply({}, partyline::defect_error(read.problem));
    for_each(read, message_type::request, [this](std::string_view id) { ids_.emplace(id); });
    return {};
}

void open_requests::note_answered(std::string_view text)
{
    for_each(reader_.read(text), message_type::reply, [this](std::string_view id) {
        if (const auto found = ids_.find(id); found != ids_.end())
            ids_.erase(found);
    });
}

std::vector<std::string> open_requests::failures() const
{
    std::vector<std::string> all;
    for (const std::string& id : ids_)
        all.push_back(error_reply(id, {partyline::error_codes::internal_error, "The server did not answer", {}}));
    return all;
}

template <class Take>
void open_requests::for_each(const partyline::message& read, message_type wanted, Take take)
{
    if (read.type == wanted)
        take(read.id);
    if (read.type != message_type::batch)
        return;
    for (const std::string_view element : reader_.elements()) {
        const partyline::message& each = reader_.read_element(element);
        if (each.type == wanted)
            take(each.id);
    }
}

} // namespace gateway
