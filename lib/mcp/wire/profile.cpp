#include <partyline/mcp/profile.hpp>

#include <partyline/protocol/message.hpp>

#include <boost/json/object.hpp>

#include <stdexcept>

namespace json = boost::json;

namespace partyline::mcp {

std::string_view base_protocol::read_cancel(json_view params, message_reader& reader) const
{
    std::string_view text;
    std::string_view key;
    return reader.find_id(params, "requestId", text, key) ? key : std::string_view();
}

void base_protocol::write_cancel(byte_buffer& out, std::string_view id, std::string_view reason) const
{
    out.append(R"({"requestId":)");
    out.append(id);
    if (!reason.empty()) {
        out.append(R"(,"reason":)");
        write_string(out, reason);
    }
    out.push_back('}');
}

std::optional<told_progress> base_protocol::read_progress(json_view params, message_reader& reader) const
{
    std::string_view text;
    std::string_view key;
    if (!reader.find_id(params, "progressToken", text, key))
        return std::nullopt;
    return told_progress{text, params};
}

std::optional<unwritable> base_protocol::write_progress(byte_buffer& out, std::string_view token,
                                                        const json::value& value, std::size_t max_depth) const
{
    const json::object* const members = value.if_object();
    const json::value* const done = members ? members->if_contains("progress") : nullptr;
    if (!done || !done->is_number())
        throw std::invalid_argument("progress of the Model Context Protocol is an object with the number \"progress\"");
    const std::size_t begin = out.size();
    out.append(R"({"progressToken":)");
    out.append(token);
    for (const auto& [name, member] : *members) {
        if (name == "progressToken")
            continue;
        out.push_back(',');
        write_string(out, name);
        out.push_back(':');
        if (std::optional<unwritable> problem = write_value(out, member, max_depth)) {
            out.truncate(begin);
            return problem;
        }
    }
    out.push_back('}');
    return std::nullopt;
}

// What is newer is further on.
bool base_protocol::is_replaceable(const json::value&) const
{
    return true;
}

} // namespace partyline::mcp
