#include <partyline/session/log.hpp>

#include "session/line_output.hpp"
#include "session/redaction.hpp"

#include <partyline/protocol/printable.hpp>

#include <string>

namespace partyline {

void write_log(const std::function<void(std::string_view)>& hook, std::string_view line) noexcept
{
    constexpr std::size_t max_line = 4096; // a method's name or an exception's text may be megabytes long
    try {
        const std::string shown = printable(redacted(line.substr(0, 2 * max_line)), max_line);
        if (hook)
            return hook(shown);
        standard_error().write("partyline: " + shown + '\n');
    } catch (...) { // there is nobody left to tell
    }
}

} // namespace partyline
