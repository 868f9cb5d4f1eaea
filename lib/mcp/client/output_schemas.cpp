#include "mcp/client/output_schemas.hpp"

#include "mcp/answers/failed_call.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/json/serialize.hpp>

#include <exception>
#include <new>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

schema compile_output(const std::string& tool, const std::string& text)
{
    constexpr std::size_t longest_shown = 1000;
    try {
        return schema::compile(json_text(text).to_value());
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& failed) { // it is none, or has what is not known here
        throw failed_call(
            client_errc::bad_result,
            printable("tools/list: the outputSchema of \"" + tool + "\": " + failed.what(), longest_shown));
    }
}

} // namespace

std::optional<schema> compile_output(const tool_info& listed)
{
    if (!listed.output_schema)
        return std::nullopt;
    return compile_output(listed.name, json::serialize(*listed.output_schema));
}

void output_schemas::note(const tool_info& listed)
{
    put(listed.name, listed.output_schema ? json::serialize(*listed.output_schema) : std::string());
}

void output_schemas::note_missing(const std::string& name)
{
    put(name, {});
}

// What is listed again as it was stays compiled.
void output_schemas::put(const std::string& name, std::string text)
{
    if (const auto known = tools_.find(name); known != tools_.end()) {
        if (known->second.text == text)
            return;
        erase(known);
    }
    const std::size_t bytes = bytes_of(name, text);
    if (bytes_ + bytes > max_bytes_)
        erase_all();
    tools_.emplace(name, output{std::move(text), std::nullopt});
    bytes_ += bytes;
}

void output_schemas::erase(tools::iterator which) noexcept
{
    bytes_ -= bytes_of(which->first, which->second.text);
    if (which->second.compiled)
        --compiled_;
    tools_.erase(which);
}

void output_schemas::erase_all() noexcept
{
    tools_.clear();
    bytes_ = compiled_ = 0;
}

void output_schemas::forget(const std::string& name) noexcept
{
    ++epoch_;
    if (const auto known = tools_.find(name); known != tools_.end())
        erase(known);
}

void output_schemas::clear() noexcept
{
    ++epoch_;
    erase_all();
}

std::optional<schema> output_schemas::find(const std::string& name)
{
    const auto found = tools_.find(name);
    if (found == tools_.end() || found->second.text.empty())
        return std::nullopt;
    output& known = found->second;
    if (!known.compiled)
        compile(found);
    return known.compiled;
}

void output_schemas::compile(tools::iterator which)
{
    std::optional<schema> made;
    try {
        made = compile_output(which->first, which->second.text);
    } catch (const failed_call&) {
        erase(which);
        throw;
    }
    if (compiled_ == most_compiled) {
        for (auto& [other, its] : tools_)
            its.compiled.reset();
        compiled_ = 0;
    }
    which->second.compiled = std::move(made);
    ++compiled_;
}

} // namespace partyline::mcp
