#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace partyline::http {

/// What a peer says, without a secret that it was shown: "[redacted]" wherever it repeats that. To be done before words
/// are cut, since most of a secret may be as good as all of it. Secrets of less than 8 characters are left, as other
/// words may have them by chance.
///
/// Cost: linear.
inline std::string without_secret(std::string_view text, std::string_view secret)
{
    constexpr std::size_t shortest = 8;
    std::string result;
    while (secret.size() >= shortest) {
        const void* const found = ::memmem(text.data(), text.size(), secret.data(), secret.size());
        if (!found)
            break;
        const auto begin = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
        result.append(text, 0, begin).append("[redacted]");
        text.remove_prefix(begin + secret.size());
    }
    return result.append(text);
}

} // namespace partyline::http
