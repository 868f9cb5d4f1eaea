#include "command_line/line_log.hpp"

#include "session/line_output.hpp"

#include <memory>
#include <new>

namespace command_line {
namespace {

std::error_code add_line(partyline::line_output& to, std::string_view line) noexcept
try {
    return to.write(std::string(line) + '\n');
} catch (const std::bad_alloc&) {
    return std::make_error_code(std::errc::not_enough_memory);
}

} // namespace

void say(std::string_view lines) noexcept
try {
    add_line(partyline::standard_error(), lines);
} catch (const std::bad_alloc&) { // nobody can be told
}

void say_text(std::string_view text) noexcept
try {
    partyline::standard_error().write(text);
} catch (const std::bad_alloc&) { // nobody can be told
}

line_log open_line_log(const std::string& path)
{
    if (path == "-")
        return [](std::string_view line) { return add_line(partyline::standard_error(), line); };
    return [to = partyline::open_line_output(path)](std::string_view line) { return add_line(*to, line); };
}

} // namespace command_line
