#include "mcp/wire/written_object.hpp"

#include "protocol/json/for_each_member.hpp"

#include <partyline/protocol/writer.hpp>

#include <boost/json/value.hpp>

#include <stdexcept>

namespace json = boost::json;

namespace partyline::mcp {

void write_object(byte_buffer& out, const json::object& of)
{
    constexpr std::size_t max_depth = 100;
    if (const auto problem = write_value(out, json::value(of), max_depth))
        throw std::invalid_argument("no JSON: " + problem->reason + " at \"" + problem->where + '"');
}

std::string object_text(const json::object& of)
{
    byte_buffer text;
    write_object(text, of);
    return std::string(text.view());
}

std::string members_without(std::string_view name, std::string_view object)
{
    std::string all;
    scanner scan;
    std::string memory;
    for_each_member(scan, object, memory, [&](const member_text& one) {
        if (one.name != name)
            all.append(all.empty() ? "" : ",").append(one.whole);
    });
    return all;
}

void add_written_member(byte_buffer& to, std::string_view name, std::string_view value)
{
    to.truncate(to.size() - 1);
    if (!to.view().ends_with('{'))
        to.push_back(',');
    write_string(to, name);
    to.push_back(':');
    to.append(value);
    to.push_back('}');
}

} // namespace partyline::mcp
