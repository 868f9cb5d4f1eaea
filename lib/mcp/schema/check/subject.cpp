#include "mcp/schema/check/subject.hpp"

#include "mcp/schema/compile/json_pointer.hpp"
#include "protocol/json/utf8.hpp"

namespace partyline::mcp::detail {
namespace {

constexpr std::size_t max_shown_name = 64;

} // namespace

std::string value_place::pointer() const
{
    std::vector<const value_place*> steps;
    for (const value_place* at = this; at->outer_; at = at->outer_)
        steps.push_back(at);
    std::string pointer;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        const value_place& at = **step;
        append_to_pointer(pointer, at.is_name_ ? utf8::shortened(at.name_, max_shown_name) : std::to_string(at.index_));
    }
    return pointer;
}

} // namespace partyline::mcp::detail
