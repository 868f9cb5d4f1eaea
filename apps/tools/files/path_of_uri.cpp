#include "path_of_uri.hpp"

#include "tools/tool_error.hpp"

#include <charconv>

namespace tools {
namespace {

// A byte of two hexadecimal digits; negative when they are none.
int byte_of(std::string_view digits)
{
    unsigned value = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    const bool is_whole = digits.size() == 2 && failed == std::errc() && end == digits.data() + 2;
    return is_whole ? static_cast<int>(value) : -1;
}

} // namespace

std::string path_of_uri(std::string_view uri)
{
    constexpr std::string_view scheme = "file://";
    constexpr std::string_view here = "localhost";
    std::string_view rest = uri;
    if (!rest.starts_with(scheme))
        throw tool_error(in_quotes(uri) + " is no URI of a file, which begins with file:///");
    rest.remove_prefix(scheme.size());
    if (rest.starts_with(here))
        rest.remove_prefix(here.size());
    if (!rest.starts_with('/') || rest.find_first_of("?#") != rest.npos)
        throw tool_error(in_quotes(uri) + " is no URI of a file here, which is file:/// and its path");
    std::string path;
    for (std::size_t at = 0; at < rest.size(); ++at) {
        if (rest[at] != '%') {
            path += rest[at];
            continue;
        }
        const int byte = byte_of(rest.substr(at + 1, 2));
        if (byte < 0)
            throw tool_error(in_quotes(uri) + " has a '%' without two hexadecimal digits");
        path += static_cast<char>(byte);
        at += 2;
    }
    return path;
}

} // namespace tools
