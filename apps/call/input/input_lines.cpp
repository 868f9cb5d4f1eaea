#include "input_lines.hpp"

#include "call/input/input_file.hpp"

#include <utility>

namespace call {

void input_lines::feed(std::string_view bytes)
{
    for (;;) {
        const std::size_t end = bytes.find('\n');
        append(bytes.substr(0, end));
        if (end == std::string_view::npos)
            return;
        end_line();
        bytes.remove_prefix(end + 1);
    }
}

std::optional<input_line> input_lines::next()
{
    if (ready_.empty())
        return std::nullopt;
    std::optional<input_line> line(std::move(ready_.front()));
    ready_.pop_front();
    return line;
}

void input_lines::append(std::string_view part)
{
    if (current_.is_oversize)
        return;
    current_.text += part;
    if (current_.text.size() > most_) {
        current_.is_oversize = true;
        current_.text = {};
    }
}

void input_lines::end_line()
{
    const std::size_t number = current_.number;
    if (number == 1)
        current_.text.erase(0, current_.text.size() - without_mark(current_.text).size());
    if (current_.is_oversize || current_.text.find_first_not_of(" \t\r") != std::string::npos)
        ready_.push_back(std::move(current_));
    current_ = {.number = number + 1, .text = {}};
}

} // namespace call
