#include "json_fault.hpp"

#include <partyline/protocol/message.hpp>

#include <algorithm>
#include <limits>
#include <string_view>

namespace call {
namespace {

bool begins_character(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

} // namespace

std::string json_fault(const std::string& text)
{
    partyline::limits bounds;
    bounds.depth = std::numeric_limits<std::size_t>::max();
    partyline::message_reader reader(bounds);
    const partyline::defect problem = reader.read(text).problem;

    const std::string_view before = std::string_view(text).substr(0, problem.offset);
    const std::string_view line = before.substr(before.rfind('\n') + 1); // npos + 1 is 0
    return "line " + std::to_string(std::ranges::count(before, '\n') + 1) + ", column " +
           std::to_string(std::ranges::count_if(line, begins_character) + 1) + ": " + problem.reason;
}

} // namespace call
