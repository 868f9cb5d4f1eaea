#include "mcp/wire/content_lines.hpp"

#include <boost/json/array.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {

void content_lines::add(const json::object& block)
{
    const json::value* const type = block.if_contains("type");
    const json::value* const text = block.if_contains("text");
    if (!type || *type != "text" || !text || !text->is_string())
        return;
    if (!std::exchange(is_first_, false))
        text_ += '\n';
    text_ += text->get_string();
}

void content_lines::add(const json::value& content)
{
    if (const json::object* const block = content.if_object())
        return add(*block);
    const json::array* const blocks = content.if_array();
    if (!blocks)
        return;
    for (const json::value& one : *blocks) {
        if (const json::object* const block = one.if_object())
            add(*block);
    }
}

} // namespace partyline::mcp
