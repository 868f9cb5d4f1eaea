#include <partyline/mcp/detail/call_output.hpp>

#include "mcp/server/calls/served_call.hpp"
#include "mcp/server/features/feature.hpp"
#include "mcp/wire/content_text.hpp"
#include "mcp/wire/methods.hpp"
#include "protocol/json/scratch_buffer.hpp"

#include <partyline/protocol/writer.hpp>
#include <partyline/rpc/detail/handler_result.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

// The members of an object without its braces.
std::string_view inside(std::string_view object) noexcept
{
    return object.substr(1, object.size() - 2);
}

} // namespace

void call_output::clear() noexcept
{
    out_.truncate(0);
    meta_members_.clear();
    is_error_ = false;
}

void call_output::put_nothing()
{
    out_.append(R"({"content":[])");
}

void call_output::put_text(std::string_view text)
{
    out_.append(R"({"content":)");
    write_text_content(out_, text);
}

void call_output::put_structured(partyline::detail::write_function by, const void* from, bool is_wrapped)
{
    scratch_buffer text;
    try {
        partyline::detail::append_text(text.get(), of_.rpc(), by, from);
    } catch (const rpc_error& problem) { // would be taken for the handler's
        throw std::invalid_argument("the result is no JSON: " +
                                    json::serialize(problem.error().data.value_or(nullptr)));
    }
    put_structured(json_view::checked(text.get().view()), is_wrapped);
}

void call_output::put_structured(json_view text, bool is_wrapped)
{
    std::string_view shown = text.text();
    std::string decoded;
    if (is_wrapped)
        read_string(text, shown, decoded); // a string by itself is shown without quotes
    put_text(shown);
    if (of_.client().revision >= revision::v2025_06_18)
        append_structured(text.text(), is_wrapped);
}

void call_output::append_structured(std::string_view text, bool is_wrapped)
{
    out_.append(is_wrapped ? R"(,"structuredContent":{"result":)" : R"(,"structuredContent":)");
    out_.append(text);
    if (is_wrapped)
        out_.push_back('}');
}

void call_output::put(const tool_result& result)
{
    const revision r = of_.client().revision;
    out_.append(R"({"content":)");
    write_contents(out_, result.content, r);
    if (result.structured && r >= revision::v2025_06_18) {
        scratch_buffer text;
        if (const auto problem = write_text(text.get(), *result.structured, of_.rpc().max_depth()))
            throw std::invalid_argument("the structured result is no JSON: " + problem->where);
        append_structured(text.get().view(), must_wrap(text.get().view()));
    }
    is_error_ = result.is_error;
    put_meta(result.meta);
}

// Who the server is stands there already, from 2026-07-28 on.
void call_output::put_meta(json::object meta)
{
    if (era_of(of_.client().revision) == era::modern)
        meta.erase(meta_names::server_info);
    if (meta.empty())
        return;
    byte_buffer text;
    if (const auto problem = write_value(text, json::value(std::move(meta)), of_.rpc().max_depth()))
        throw std::invalid_argument("_meta of the result is no JSON: " + problem->reason);
    meta_members_ = inside(text.view());
}

void call_output::put(const std::vector<resource_contents>& contents)
{
    out_.append(R"({"contents":[)");
    for (std::size_t i = 0; i != contents.size(); ++i) {
        if (i != 0)
            out_.push_back(',');
        write_resource(out_, contents[i], of_.uri(), of_.offered().mime_type());
    }
    out_.push_back(']');
}

void call_output::put(const prompt_result& result)
{
    out_.push_back('{');
    if (!result.description.empty()) {
        out_.append(R"("description":)");
        write_string(out_, result.description);
        out_.push_back(',');
    }
    out_.append(R"("messages":[)");
    for (std::size_t i = 0; i != result.messages.size(); ++i) {
        if (i != 0)
            out_.push_back(',');
        write_message(out_, result.messages[i], of_.client().revision);
    }
    out_.push_back(']');
}

void call_output::write(const json::value& result)
{
    scratch_buffer text;
    if (const auto problem = write_value(text.get(), result, of_.rpc().max_depth()))
        throw std::invalid_argument("the result is no JSON: " + problem->reason + " at \"" + problem->where + '"');
    write(json_view::checked(text.get().view()));
}

void call_output::write(json_view result)
{
    put_structured(result, must_wrap(result.text()));
}

void call_output::write(const json_text& result)
{
    scratch_buffer text;
    if (const auto problem = write_text(text.get(), result, of_.rpc().max_depth()))
        throw std::invalid_argument("the result is no JSON: " + problem->where);
    write(json_view::checked(text.get().view()));
}

// Before 2026-07-28 a structured result is an object.
bool call_output::must_wrap(std::string_view text) const noexcept
{
    return !text.starts_with('{') && era_of(of_.client().revision) == era::legacy;
}

} // namespace partyline::mcp::detail
