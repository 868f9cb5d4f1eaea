#include "fuzz/mcp_ledger.hpp"

#include "fuzz/fuzz_input.hpp"

namespace partyline::test {
namespace {

bool is_id(const json_tree* id)
{
    return !id || id->what == json_tree::kind::string || id->what == json_tree::kind::number;
}

bool is_mcp_answer(const json_tree& said, std::string_view line)
{
    const json_tree* const version = said.find("jsonrpc");
    require(version && version->text == "2.0", "it says its version", line);
    const json_tree* const id = said.find("id");
    require(is_id(id), "an id is a string or a number", line);
    const bool has_result = said.find("result") != nullptr;
    const bool has_error = said.find("error") != nullptr;
    if (said.find("method")) {
        require(!has_result && !has_error, "a request is no answer", line);
        return false;
    }
    require(has_result != has_error, "an answer is a result or an error", line);
    require(id || has_error, "only an error has no id", line);
    return true;
}

} // namespace

answered read_mcp_answers(std::string_view lines)
{
    return read_answers(lines, is_mcp_answer);
}

} // namespace partyline::test
