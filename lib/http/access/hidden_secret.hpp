#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

/// What a request has shown, which nobody is to read in words about its answer. Null: nothing.
using shown_secrets = std::shared_ptr<const std::vector<std::string>>;

/// The same for several ones.
inline std::string without_secrets(std::string_view text, const shown_secrets& secrets)
{
    std::string result(text);
    if (secrets) {
        for (const std::string& one : *secrets)
            result = without_secret(result, one);
    }
    return result;
}

/// Of the longest one; text that is cut has to keep that much more for `without_secrets`.
inline std::size_t longest_of(const shown_secrets& secrets) noexcept
{
    std::size_t longest = 0;
    if (secrets) {
        for (const std::string& one : *secrets)
            longest = std::max(longest, one.size());
    }
    return longest;
}

} // namespace partyline::http
