// Any document is compiled or refused, and any value checked against it in the steps that it may take, with the same
// answer however the schema is wrapped. The document is the text's first line, the value what comes behind it.

#include "fuzz/fuzz_input.hpp"
#include "mcp/schema/schema.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using partyline::mcp::mismatch;
using partyline::mcp::schema;
using partyline::test::fuzz_input;
using partyline::test::require;
namespace json = boost::json;

namespace {

constexpr std::size_t max_shown = 1024;

std::optional<json::value> parsed(std::string_view text)
{
    json::parse_options options;
    options.max_depth = 128;
    json::error_code error;
    json::value value = json::parse(text, error, {}, options);
    if (error)
        return std::nullopt;
    return value;
}

std::optional<schema> compiled(const json::value& document)
{
    try {
        return schema::compile(document);
    } catch (const std::invalid_argument& error) {
        require(std::string_view(error.what()).starts_with("in the schema"), "a refusal names the place", error.what());
        return std::nullopt;
    }
}

json::value wrapped(const char* keyword, const json::value& document)
{
    const bool is_list = std::string_view(keyword).ends_with("Of");
    json::object outer;
    outer.emplace(keyword, is_list ? json::value(json::array(1, document)) : document);
    return outer;
}

bool is_undecided(const std::vector<mismatch>& found)
{
    return found.size() == 1 && found.front().got == "one that needs more";
}

void check_words(const std::vector<mismatch>& found)
{
    require(found.size() <= 10, "no more than ten mismatches");
    for (const mismatch& m : found) {
        require(!m.expected.empty() && m.expected.size() < max_shown, "what was expected", m.expected);
        require(!m.got.empty() && m.got.size() < max_shown, "what came", m.got);
    }
}

// References are seen from the document's root, so documents that have some are not wrapped.
void check_wrapped(const json::value& document, const json::value& value, bool fits)
{
    for (const char* const keyword : {"allOf", "anyOf", "oneOf", "not"}) {
        const std::optional<schema> outer = compiled(wrapped(keyword, document));
        if (!outer)
            return; // one schema too many in each other
        const std::vector<mismatch> found = outer->check(value);
        check_words(found);
        if (!is_undecided(found))
            require(found.empty() == (std::string_view(keyword) == "not" ? !fits : fits), "the same answer", keyword);
    }
}

void run(std::string_view document_text, std::string_view value_text, std::size_t max_steps)
{
    const std::optional<json::value> document = parsed(document_text);
    const std::optional<json::value> value = parsed(value_text);
    const std::optional<schema> by = document ? compiled(*document) : std::nullopt;
    if (!by || !value)
        return;
    check_words(by->check(*value, max_steps));
    const std::vector<mismatch> found = by->check(*value);
    check_words(found);
    require(by->check(*value) == found, "the same answer again");
    if (document_text.find_first_of("$\\") == document_text.npos && !is_undecided(found))
        check_wrapped(*document, *value, found.empty());
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    const std::size_t max_steps = input.choose_of({100, 0, 1, 10, 1000});
    const std::string_view text = input.text();
    const std::size_t newline = std::min(text.find('\n'), text.size());
    run(text.substr(0, newline), text.substr(newline), max_steps);
    return 0;
}
