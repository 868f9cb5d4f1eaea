#include <partyline/mcp/profile.hpp>

#include <boost/json/object.hpp>

#include <stdexcept>

namespace json = boost::json;

namespace partyline::mcp {

void base_protocol::check_progress(const json::value& value) const
{
    const json::object* const members = value.if_object();
    const json::value* const done = members ? members->if_contains("progress") : nullptr;
    if (!done || !done->is_number())
        throw std::invalid_argument("progress of the Model Context Protocol is an object with the number \"progress\"");
}

} // namespace partyline::mcp
