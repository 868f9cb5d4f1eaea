#include <partyline/session/call_params.hpp>

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace json = boost::json;

namespace partyline {
namespace {

std::string_view without_leading_space(std::string_view text)
{
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

} // namespace

std::optional<unwritable> call_params::write_to(byte_buffer& out, std::size_t depth) const
{
    const std::size_t before = out.size();
    std::optional<unwritable> problem;
    if (const auto* const value = std::get_if<boost::json::value>(&params_)) {
        if (value->is_null())
            return std::nullopt;
        problem = write_value(out, *value, depth);
    } else {
        const json_text& given = std::get<json_text>(params_);
        if (given.empty() || given.text() == "null")
            return std::nullopt;
        problem = write_text(out, given, depth);
    }
    if (problem)
        return problem;
    const std::string_view written = without_leading_space(out.view().substr(before));
    if (written.starts_with('{') || written.starts_with('['))
        return std::nullopt;
    out.truncate(before);
    return unwritable{"", "params that are neither an array, an object nor null"};
}

json::value detail::list_to_params(std::initializer_list<json::value_ref> list)
{
    if (list.size() != 1)
        return json::value(list);
    json::array only(list);
    if (!only[0].is_array() || !json::value(list).is_object()) // what was moved from is of its kind still
        return only;
    json::array& pair = only[0].get_array();
    json::object named;
    named.emplace(pair[0].get_string(), std::move(pair[1]));
    return named;
}

error_code call_params::append_to(std::string& out, std::size_t depth) const
{
    byte_buffer text;
    if (write_to(text, depth))
        return errc::bad_params;
    out.append(without_leading_space(text.view()));
    return {};
}

} // namespace partyline
