#include <partyline/session/profile.hpp>

#include <partyline/protocol/message.hpp>
#include <partyline/session/lifecycle.hpp>

#include <boost/json/value.hpp>

namespace partyline {

std::shared_ptr<lifecycle> profile::make_lifecycle() const
{
    return nullptr;
}

std::string_view profile::read_cancel(json_view params, message_reader& reader) const
{
    std::string_view text;
    std::string_view key;
    return reader.find_id(params, "id", text, key) ? key : std::string_view();
}

void profile::write_cancel(byte_buffer& out, std::string_view id, std::string_view) const
{
    out.append(R"({"id":)");
    out.append(id);
    out.push_back('}');
}

std::optional<told_progress> profile::read_progress(json_view params, message_reader& reader) const
{
    told_progress told;
    std::string_view key;
    if (!reader.find_id(params, "token", told.token, key))
        return std::nullopt;
    told.value = reader.find_member(params, "value");
    return told;
}

std::optional<unwritable> profile::write_progress(byte_buffer& out, std::string_view token,
                                                  const boost::json::value& value, std::size_t max_depth) const
{
    out.append(R"({"token":)");
    out.append(token);
    out.append(R"(,"value":)");
    const std::optional<unwritable> problem = write_value(out, value, max_depth);
    out.push_back('}');
    return problem;
}

bool profile::is_replaceable(const boost::json::value& progress) const
{
    const boost::json::object* const object = progress.if_object();
    const boost::json::value* const kind = object ? object->if_contains("kind") : nullptr;
    const boost::json::string* const name = kind ? kind->if_string() : nullptr;
    return !name || (*name != "begin" && *name != "end");
}

} // namespace partyline
