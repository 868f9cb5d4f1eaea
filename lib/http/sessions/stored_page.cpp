#include "http/sessions/stored_page.hpp"

#include <string>
#include <utility>

namespace partyline::http {
namespace {

// A line break would end the line of data, and what is behind it be fields of the event.
bool is_message(const std::string& text) noexcept
{
    return (text.starts_with('{') || text.starts_with('[')) && text.find_first_of("\r\n") == text.npos;
}

} // namespace

stored_page take_page(stored_events given, std::uint64_t from, std::size_t max_bytes)
{
    stored_page page;
    std::size_t bytes = 0;
    std::size_t count = 0;
    for (const stored_event& one : given.events) {
        bytes += one.message.size();
        if (one.number != from + count || !is_message(one.message) || (count != 0 && bytes > max_bytes))
            break;
        ++count;
    }
    page.is_end = given.end != 0 && given.end == from + count && count == given.events.size();
    page.events.reserve(count);
    for (std::size_t i = 0; i != count; ++i) { // what is dropped, and what a message had room for, goes
        given.events[i].message.shrink_to_fit();
        page.events.push_back(std::move(given.events[i]));
    }
    return page;
}

} // namespace partyline::http
