#include "telemetry/json_text.hpp"

#include "session/redaction.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

#include <algorithm>

namespace partyline::telemetry {
namespace {

constexpr std::string_view before_secrets = "=:%";
constexpr std::string_view of_surrogates = "\\u"; // one of which alone many a reader of JSON refuses

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

void append_peer_text(std::string& out, std::string_view text)
{
    // A name of a method or a tool has none of what is between a name and its secret, be that escaped.
    if (text.find_first_of(before_secrets) == text.npos) [[likely]]
        append_text(out, text);
    else
        append_text(out, redacted(text.substr(0, 2 * longest_shown)));
}

void append_id(std::string& out, std::string_view id)
{
    if (id.empty())
        out += "null";
    else if (id.size() <= longest_shown && std::all_of(id.begin(), id.end(), is_ascii) &&
             id.find_first_of(before_secrets) == id.npos && id.find(of_surrogates) == id.npos)
        out += id;
    else
        append_peer_text(out, id);
}

} // namespace partyline::telemetry
