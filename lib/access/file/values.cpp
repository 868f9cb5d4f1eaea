#include "access/file/values.hpp"

#include "access/file/timestamp.hpp"
#include "access/names.hpp"

#include <algorithm>

namespace partyline::access {
namespace {

bool begins_with_loopback(std::string_view host) noexcept
{
    for (const std::string_view name : {"localhost", "127.0.0.1", "[::1]"})
        if (host.starts_with(name) &&
            (host.size() == name.size() || host[name.size()] == ':' || host[name.size()] == '/'))
            return true;
    return false;
}

bool is_url(std::string_view text) noexcept
{
    constexpr std::string_view secure = "https://";
    constexpr std::string_view plain = "http://";
    const bool is_visible = std::all_of(text.begin(), text.end(), [](char c) {
        return c > ' ' && c < '\x7f' && c != '"' && c != '\\' && c != '#' && c != '<' && c != '>';
    });
    if (!is_visible)
        return false;
    if (text.starts_with(plain))
        return begins_with_loopback(text.substr(plain.size()));
    return text.starts_with(secure) && text.size() > secure.size() && text[secure.size()] != '/';
}

} // namespace

std::string read_principal(const node& from)
{
    std::string found = from.text();
    if (!is_principal(found))
        from.fail("a principal has at most 256 bytes, and no control characters");
    if (found == anonymous_principal)
        from.fail("this is the principal of who shows nothing");
    return found;
}

std::string read_scope(const node& from)
{
    std::string found = from.text();
    if (!is_scope(found))
        from.fail("a scope has at most 256 characters of ASCII, and no space, quote or backslash");
    return found;
}

std::vector<std::string> read_scopes(const node& from)
{
    std::vector<std::string> all;
    from.each([&](const node& one) { all.push_back(read_scope(one)); });
    if (all.size() > max_own_scopes)
        from.fail("there are more than " + std::to_string(max_own_scopes) + " scopes");
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

name_pattern read_pattern(const node& from)
{
    name_pattern found = {from.text(), false};
    found.is_prefix = found.name.ends_with('*');
    if (found.is_prefix)
        found.name.pop_back();
    if (found.name.find('*') != std::string::npos)
        from.fail("* stands for the rest of a name, so it can only be its last character");
    return found;
}

std::vector<name_pattern> read_patterns(const node& from)
{
    std::vector<name_pattern> all;
    from.each([&](const node& one) { all.push_back(read_pattern(one)); });
    if (all.empty())
        from.fail("it names nothing");
    return all;
}

std::string read_url(const node& from)
{
    std::string found = from.text();
    if (!is_url(found))
        from.fail("an https URL is expected, or an http one of localhost, without a fragment");
    return found;
}

std::chrono::system_clock::time_point read_time(const node& from)
{
    const auto found = read_timestamp(from.text());
    if (!found)
        from.fail("a time is expected, such as 2027-01-01T00:00:00Z");
    return *found;
}

} // namespace partyline::access
