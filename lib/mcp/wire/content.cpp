#include <partyline/mcp/content.hpp>

namespace partyline::mcp {

std::string tool_result::text() const
{
    std::string all;
    for (const mcp::content& one : content) {
        const auto* const said = std::get_if<text_content>(&one.block);
        if (!said)
            continue;
        if (!all.empty())
            all += '\n';
        all += said->text;
    }
    return all;
}

} // namespace partyline::mcp
