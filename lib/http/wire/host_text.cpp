#include "http/wire/host_text.hpp"

#include "http/wire/characters.hpp"

#include <algorithm>

namespace partyline::http {

std::size_t end_of_host(std::string_view text) noexcept
{
    if (!text.starts_with('[')) {
        const auto is_of_name = [](char c) { return is_in(c, is_name_char); };
        return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_of_name) - text.begin());
    }
    const std::size_t bracket = text.find(']');
    if (bracket == text.npos || bracket == 1)
        return 0;
    const std::string_view address = text.substr(1, bracket - 1);
    return address.find('[') == address.npos && is_all(address, is_host_char) ? bracket + 1 : 0;
}

bool is_authority(std::string_view text) noexcept
{
    const std::size_t end = end_of_host(text);
    if (end == 0)
        return false;
    const std::string_view port = text.substr(end);
    return port.empty() ||
           (port.front() == ':' && port.size() <= 6 && std::all_of(port.begin() + 1, port.end(), is_digit));
}

} // namespace partyline::http
