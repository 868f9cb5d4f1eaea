#include <partyline/session/call_params.hpp>

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <optional>

namespace partyline {
namespace {

std::string_view without_leading_space(std::string_view text)
{
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

} // namespace

error_code call_params::append_to(std::string& out, std::size_t depth) const
{
    byte_buffer text;
    std::optional<unwritable> problem;
    if (const auto* const value = std::get_if<boost::json::value>(&params_)) {
        if (value->is_null())
            return {};
        problem = write_value(text, *value, depth);
    } else {
        const json_text& given = std::get<json_text>(params_);
        if (given.empty() || given.text() == "null")
            return {};
        problem = write_text(text, given, depth);
    }
    const std::string_view written = without_leading_space(text.view());
    if (problem || written.empty() || (written.front() != '{' && written.front() != '['))
        return errc::bad_params;
    out.append(written);
    return {};
}

} // namespace partyline
