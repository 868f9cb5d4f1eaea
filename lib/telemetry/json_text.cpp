#include "telemetry/json_text.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

#include <algorithm>

namespace partyline::telemetry {
namespace {

bool is_ascii(char c) noexcept
{
    return c >= ' ' && c <= '~';
}

} // namespace

bool is_plain(std::string_view text) noexcept
{
    return std::all_of(text.begin(), text.end(), [](char c) { return is_ascii(c) && c != '"' && c != '\\'; });
}

void append_text(std::string& out, std::string_view text, std::size_t longest)
{
    if (text.size() > longest || !is_plain(text)) [[unlikely]] {
        out += boost::json::serialize(boost::json::string(printable(text, longest)));
        return;
    }
    out += '"';
    out += text;
    out += '"';
}

void append_id(std::string& out, std::string_view id)
{
    if (id.empty())
        out += "null";
    else if (id.size() <= longest_shown && std::all_of(id.begin(), id.end(), is_ascii))
        out += id;
    else
        append_text(out, id);
}

} // namespace partyline::telemetry
