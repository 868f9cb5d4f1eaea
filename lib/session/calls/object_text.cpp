#include "session/calls/object_text.hpp"

#include "protocol/json/scanner.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/protocol/writer.hpp>

#include <limits>

namespace partyline {

void append_members(std::string& out, const std::string& object, std::string_view unwanted)
{
    scanner scan;
    scan.start(object);
    std::string_view name;
    std::string memory;
    for (const char* p = scanner::skip_space(object.c_str() + 1); *p != '}';) {
        const char* const begin = p;
        p = scan.skip_value(scan.read_name(p, name, memory), std::numeric_limits<std::size_t>::max());
        if (name != unwanted)
            out.append(",").append(begin, p);
        p = scanner::skip_space(p);
        if (*p == ',')
            p = scanner::skip_space(p + 1);
    }
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
