#include "mcp/server/calls/request_chain.hpp"

#include "mcp/server/result_envelope.hpp"
#include "mcp/server/sessions/session_client.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/refusals.hpp"
#include "mcp/wire/written_object.hpp"
#include "protocol/json/for_each_member.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace partyline::mcp {
namespace {

// Results of these say how long they may be kept. One that was made here may not be.
bool is_cacheable(std::string_view method) noexcept
{
    constexpr std::array all{methods::discover,       methods::list_tools,     methods::list_prompts,
                             methods::list_resources, methods::list_templates, methods::read_resource};
    return std::find(all.begin(), all.end(), method) != all.end();
}

// What a result says of itself already.
struct said_members {
    bool has_type = false;
    bool has_lifetime = false;
    bool has_scope = false;
    bool has_meta = false;
    std::string_view meta; // of several the last one
};

said_members read_said_members(std::string_view result)
{
    said_members found;
    scanner scan;
    std::string memory;
    for_each_member(scan, result, memory, [&](const member_text& one) {
        found.has_type = found.has_type || one.name == "resultType";
        found.has_lifetime = found.has_lifetime || one.name == "ttlMs";
        found.has_scope = found.has_scope || one.name == "cacheScope";
        if (one.name == "_meta") {
            found.has_meta = true;
            found.meta = one.value;
        }
    });
    return found;
}

void complete_envelope(byte_buffer& text, const request_context& rpc, const server_facts& by)
{
    const said_members said = read_said_members(text.view());
    if (said.has_type)
        return;
    const std::string meta = members_without(meta_names::server_info, said.meta);
    result_envelope how;
    how.meta_members = meta;
    if (said.has_meta) {
        const std::string members = members_without("_meta", text.view());
        text.truncate(0);
        text.append("{");
        text.append(members);
        text.append("}");
    }
    if (is_cacheable(rpc.method()) && !said.has_lifetime)
        add_written_member(text, "ttlMs", "0");
    if (is_cacheable(rpc.method()) && !said.has_scope)
        add_written_member(text, "cacheScope", R"("private")");
    add_envelope(text, how, by);
}

std::string_view without_blanks(std::string_view text) noexcept
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// Throws `std::logic_error`. Most results come from the protocol's own handlers, and stay as they are.
json_text with_envelope(json_text made, const request_context& rpc, const server_facts& by)
{
    const client_facts_ptr client = client_of(rpc, session_of(rpc).get());
    const bool is_modern = era_of(client->revision) == era::modern;
    const bool is_object = made.is_checked() && made.text().starts_with('{');
    if (is_object && (!is_modern || read_said_members(made.text()).has_type))
        return made;
    byte_buffer written;
    if (const auto problem = write_text(written, made, rpc.max_depth()))
        throw std::logic_error("the result of " + std::string(rpc.method()) + " is no JSON: " + problem->where);
    const std::string_view shown = without_blanks(written.view());
    if (!shown.starts_with('{') && shown != "null")
        throw std::logic_error("the result of " + std::string(rpc.method()) + " is no object");
    byte_buffer text;
    text.append(shown == "null" ? "{}" : shown);
    if (is_modern)
        complete_envelope(text, rpc, by);
    return json_text(json_view::checked(text.view()));
}

} // namespace

task<request_result> envelope_middleware::operator()(request_context& rpc, json_view, next_handler& next) const
{
    request_result made;
    std::optional<error_object> lacking;
    try {
        made = co_await next();
    } catch (const missing_capability& missing) {
        lacking = missing_capability_error(missing, client_of(rpc, session_of(rpc).get())->revision);
    }
    if (lacking)
        throw rpc_error(std::move(*lacking));
    co_return with_envelope(std::move(made).to_text(), rpc, *by_);
}

request_middleware_list request_chain(const server_facts& of, const request_middleware_list& own)
{
    request_middleware_list all;
    if (of.options.around_requests.empty() && own.empty())
        return all;
    all.add(envelope_middleware(of));
    all.add(of.options.around_requests);
    all.add(own);
    return all;
}

} // namespace partyline::mcp
