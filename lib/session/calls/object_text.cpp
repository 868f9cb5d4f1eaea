#include "session/calls/object_text.hpp"

#include "protocol/json/for_each_member.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/protocol/writer.hpp>

namespace partyline {

void append_members(std::string& out, const std::string& object, std::string_view unwanted)
{
    scanner scan;
    std::string memory;
    for_each_member(scan, object, memory, [&](const member_text& one) {
        if (one.name != unwanted)
            out.append(",").append(one.whole);
    });
}

std::string member_of(const std::string& object, std::string_view name)
{
    message_reader reader{limits()};
    return std::string(reader.find_member(json_view::checked(object), name).text());
}

std::string with_member(const std::string& object, std::string_view name, std::string_view value)
{
    byte_buffer quoted;
    write_string(quoted, name);
    std::string out = "{";
    out.append(quoted.view()).append(":").append(value);
    if (is_object(object))
        append_members(out, object, name);
    return out.append("}");
}

} // namespace partyline
