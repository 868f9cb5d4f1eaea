#include "quote.hpp"

#include <cstddef>

namespace wire_client {

std::string quote(std::string_view text)
{
    constexpr std::size_t longest = 160;
    std::string result = "'";
    for (char c : text.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(c);
        result.push_back(byte < 0x20 || byte >= 0x7f ? '?' : c);
    }
    result.push_back('\'');
    if (text.size() > longest)
        result += " (" + grouped(text.size()) + " bytes)";
    return result;
}

std::string grouped(unsigned long long number)
{
    std::string digits = std::to_string(number);
    for (std::size_t from_end = 3; from_end < digits.size(); from_end += 4)
        digits.insert(digits.size() - from_end, 1, ',');
    return digits;
}

std::string shell_word(std::string_view text)
{
    std::string word = "'";
    for (char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

} // namespace wire_client
