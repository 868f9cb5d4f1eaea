#include <partyline/session/profile.hpp>

#include <partyline/protocol/message.hpp>
#include <partyline/session/lifecycle.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <stdexcept>

namespace json = boost::json;

namespace partyline {
namespace {

void write_name(byte_buffer& out, std::string_view name)
{
    write_string(out, name);
    out.push_back(':');
}

std::optional<unwritable> write_members(byte_buffer& out, const json::object& members, std::string_view but,
                                        std::size_t max_depth)
{
    for (const auto& [name, member] : members) {
        if (name == but)
            continue;
        out.push_back(',');
        write_name(out, name);
        if (std::optional<unwritable> problem = write_value(out, member, max_depth))
            return problem;
    }
    return std::nullopt;
}

} // namespace

std::shared_ptr<lifecycle> profile::make_lifecycle() const
{
    return nullptr;
}

void profile::check_progress(const json::value&) const {}

std::string_view profile::read_cancel(json_view params, message_reader& reader) const
{
    std::string_view text;
    std::string_view key;
    return reader.find_id(params, cancel_id, text, key) ? key : std::string_view();
}

void profile::write_cancel(byte_buffer& out, std::string_view id, std::string_view reason) const
{
    out.push_back('{');
    write_name(out, cancel_id);
    out.append(id);
    if (!cancel_reason.empty() && !reason.empty()) {
        out.push_back(',');
        write_name(out, cancel_reason);
        write_string(out, reason);
    }
    out.push_back('}');
}

std::optional<told_progress> profile::read_progress(json_view params, message_reader& reader) const
{
    told_progress told;
    std::string_view key;
    if (!reader.find_id(params, progress_id, told.token, key))
        return std::nullopt;
    told.value = progress_value.empty() ? params : reader.find_member(params, progress_value);
    return told;
}

std::optional<unwritable> profile::write_progress(byte_buffer& out, std::string_view token, const json::value& value,
                                                  std::size_t max_depth) const
{
    check_progress(value);
    const json::object* const beside = progress_value.empty() ? value.if_object() : nullptr;
    if (progress_value.empty() && !beside)
        throw std::invalid_argument("progress is an object in this protocol");
    const std::size_t begin = out.size();
    out.push_back('{');
    write_name(out, progress_id);
    out.append(token);
    std::optional<unwritable> problem;
    if (beside) {
        problem = write_members(out, *beside, progress_id, max_depth);
    } else {
        out.push_back(',');
        write_name(out, progress_value);
        problem = write_value(out, value, max_depth);
    }
    out.push_back('}');
    if (problem)
        out.truncate(begin);
    return problem;
}

} // namespace partyline
