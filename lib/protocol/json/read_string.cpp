#include "protocol/json/read_string.hpp"

#include "protocol/json/scanner.hpp"

namespace partyline {

bool read_string(json_view from, std::string_view& out, std::string& memory)
{
    const std::string_view text = from.text();
    if (!text.starts_with('"'))
        return false;
    if (text.find('\\') == text.npos) {
        out = text.substr(1, text.size() - 2);
        return true;
    }
    scanner scan;
    scan.start(text);
    scan.decode_half_pairs(scanner::half_pairs::refused);
    return scan.read_string(text.data(), out, memory) != nullptr;
}

} // namespace partyline
