#include "mcp/schema/pattern/pattern.hpp"

#include "mcp/schema/pattern/pattern_reader.hpp"
#include "mcp/schema/pattern/pattern_run.hpp"

namespace partyline::mcp::detail {

pattern::pattern(std::string_view text) : text_(text), program_(make_pattern_program(pattern_reader(text).read())) {}

bool pattern::is_found_in(std::string_view text, step_budget& budget) const
{
    return pattern_run(program_, budget).finds(text);
}

} // namespace partyline::mcp::detail
