#include "mcp/server/protocol_methods.hpp"

#include "mcp/server/catalogue.hpp"
#include "mcp/server/completion.hpp"
#include "mcp/server/result_envelope.hpp"
#include "mcp/server/sessions/listen_method.hpp"
#include "mcp/server/sessions/session_client.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/refusals.hpp"
#include "mcp/wire/request_members.hpp"
#include "mcp/wire/written_object.hpp"

#include <partyline/mcp/error_codes.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <new>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

using serve_function = void (*)(const catalogue& of, request_context& rpc, json_view params, result_writer& out);

class protocol_handler final : public handler {
public:
    protocol_handler(const catalogue& of, serve_function serve) : handler(kind::plain), of_(of), serve_(serve) {}

    void call(request_context& rpc, json_view params, result_writer& out) override { serve_(of_, rpc, params, out); }

private:
    const catalogue& of_;
    const serve_function serve_;
};

std::string required_string(json_view from, const char* name)
{
    std::string_view text;
    std::string memory;
    if (!read_string(from, text, memory))
        throw rpc_error(invalid_params(name, "string"));
    return std::string(text);
}

revision revision_of(const request_context& rpc)
{
    return client_of(rpc, session_of(rpc).get())->revision;
}

template <feature_kind Kind>
void list(const catalogue& of, request_context& rpc, json_view params, result_writer& out)
{
    const json_view given = read_members(params).cursor;
    std::string cursor;
    if (!given.empty())
        cursor = required_string(given, "cursor");
    const std::shared_ptr<const std::string> page =
        of.page(Kind, revision_of(rpc), given.empty() ? nullptr : &cursor, rpc.access());
    if (!page)
        throw rpc_error(invalid_params("cursor", "a cursor that this list has given"));
    out.write(json_view::checked(*page));
}

void discover(const catalogue& of, request_context&, json_view, result_writer& out)
{
    const server_facts& server = of.server();
    json::object result{{"supportedVersions", json::array{json::string(to_string(newest_modern))}},
                        {"capabilities", of.capabilities(newest_modern)}};
    if (!server.options.instructions.empty())
        result["instructions"] = server.options.instructions;
    byte_buffer text;
    write_object(text, result);
    add_envelope(text, {.cache = cache_rule()}, server);
    out.write(json_view::checked(text.view()));
}

// What stands for tools, resources and prompts is served itself where none is meant.

[[noreturn]] void refuse_unknown(const char* what, json_view name)
{
    constexpr std::size_t longest = 200; // of what is shown of it
    std::string_view text;
    std::string memory;
    if (!read_string(name, text, memory))
        throw rpc_error(invalid_params("name", "string"));
    throw rpc_error(partyline::error_codes::invalid_params,
                    "Unknown " + std::string(what) + ": " + printable(text, longest));
}

void call_unknown_tool(const catalogue&, request_context&, json_view params, result_writer&)
{
    refuse_unknown("tool", read_members(params).name);
}

void get_unknown_prompt(const catalogue&, request_context&, json_view params, result_writer&)
{
    refuse_unknown("prompt", read_members(params).name);
}

void read_unknown_resource(const catalogue&, request_context& rpc, json_view params, result_writer&)
{
    const std::string uri = required_string(read_members(params).uri, "uri");
    const bool is_modern = era_of(revision_of(rpc)) == era::modern;
    throw rpc_error(is_modern ? partyline::error_codes::invalid_params : error_codes::resource_not_found,
                    "Resource not found", json::object{{"uri", uri}});
}

server_lifecycle& required_session(const std::shared_ptr<server_lifecycle>& session)
{
    if (!session)
        throw rpc_error(partyline::error_codes::internal_error, "This session has not been prepared by the server");
    return *session;
}

void write_empty(result_writer& out)
{
    out.write(json_view::checked("{}"));
}

// A resource that is hidden from the client is subscribed to as one that there is not: nothing is told of it.
void subscribe(const catalogue&, request_context& rpc, json_view params, result_writer& out)
{
    const std::string uri = required_string(read_members(params).uri, "uri");
    const std::shared_ptr<const access_view> by = rpc.access();
    require_scope(judge(by.get(), feature_kind::resource, uri));
    required_session(session_of(rpc)).subscribe(uri);
    write_empty(out);
}

void unsubscribe(const catalogue&, request_context& rpc, json_view params, result_writer& out)
{
    required_session(session_of(rpc)).unsubscribe(required_string(read_members(params).uri, "uri"));
    write_empty(out);
}

void set_log_level(const catalogue&, request_context& rpc, json_view params, result_writer& out)
{
    const json::value given = params.to_value();
    const json::object* const members = given.if_object();
    const json::value* const level = members ? members->if_contains("level") : nullptr;
    const std::optional<log_level> known =
        level && level->is_string() ? find_log_level(level->get_string()) : std::nullopt;
    if (!known)
        throw rpc_error(invalid_params("level", "a level from \"debug\" to \"emergency\""));
    required_session(session_of(rpc)).set_log_from(*known);
    write_empty(out);
}

void complete(const catalogue& of, request_context& rpc, json_view params, result_writer& out)
{
    byte_buffer text;
    write_object(text, complete_argument(of, params, rpc.access().get()));
    if (era_of(revision_of(rpc)) == era::modern)
        add_envelope(text, {}, of.server());
    out.write(json_view::checked(text.view()));
}

class failing_handler final : public handler {
public:
    failing_handler() : handler(kind::plain) {}

    void call(request_context&, json_view, result_writer&) override { throw std::bad_alloc(); }
};

std::unique_ptr<method> make(std::string_view name, const catalogue& of, serve_function serve, bool is_group = false)
{
    auto made = std::make_unique<method>();
    made->name = name;
    made->target = std::make_unique<protocol_handler>(of, serve);
    made->is_group = is_group;
    return made;
}

} // namespace

std::unique_ptr<method> make_failing_method()
{
    auto made = std::make_unique<method>();
    made->target = std::make_unique<failing_handler>();
    return made;
}

std::vector<std::unique_ptr<method>> make_protocol_methods(const catalogue& of)
{
    constexpr bool is_group = true;
    std::vector<std::unique_ptr<method>> all;
    all.push_back(make(methods::discover, of, &discover));
    all.push_back(make(methods::set_log_level, of, &set_log_level));
    all.push_back(make_listen_method(of));
    if (of.has(feature_kind::tool)) {
        all.push_back(make(methods::list_tools, of, &list<feature_kind::tool>));
        all.push_back(make(methods::call_tool, of, &call_unknown_tool, is_group));
    }
    if (of.has_resources()) {
        all.push_back(make(methods::list_resources, of, &list<feature_kind::resource>));
        all.push_back(make(methods::list_templates, of, &list<feature_kind::resource_template>));
        all.push_back(make(methods::read_resource, of, &read_unknown_resource, is_group));
        all.push_back(make(methods::subscribe, of, &subscribe));
        all.push_back(make(methods::unsubscribe, of, &unsubscribe));
    }
    if (of.has(feature_kind::prompt)) {
        all.push_back(make(methods::list_prompts, of, &list<feature_kind::prompt>));
        all.push_back(make(methods::get_prompt, of, &get_unknown_prompt, is_group));
    }
    if (of.has_completions())
        all.push_back(make(methods::complete, of, &complete));
    return all;
}

} // namespace partyline::mcp
