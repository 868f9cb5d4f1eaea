#include "mcp/server/protocol_methods.hpp"

#include "mcp/server/calls/request_chain.hpp"
#include "mcp/server/catalogue.hpp"
#include "mcp/server/completion.hpp"
#include "mcp/server/result_envelope.hpp"
#include "mcp/server/sessions/listen_method.hpp"
#include "mcp/server/sessions/session_client.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/refusals.hpp"
#include "mcp/wire/written_object.hpp"

#include <partyline/mcp/error_codes.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <new>
#include <optional>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

struct list_params {
    std::optional<std::string> cursor;
};
BOOST_DESCRIBE_STRUCT(list_params, (), (cursor))

struct name_params {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(name_params, (), (name))

struct uri_params {
    std::string uri;
};
BOOST_DESCRIBE_STRUCT(uri_params, (), (uri))

struct level_params {
    log_level level{};
};
BOOST_DESCRIBE_STRUCT(level_params, (), (level))

// Requests may have members that are newer than this server, and `_meta`.
method_options tolerant()
{
    method_options made;
    made.binding.unknown = unknown_members::ignored;
    return made;
}

revision revision_of(const request_context& rpc)
{
    return client_of(rpc, session_of(rpc).get())->revision;
}

/// Keeps a page until it has been written.
struct written_page {
    std::shared_ptr<const std::string> text;
};

json_view list(const catalogue& of, feature_kind kind, request_context& rpc, const list_params& given)
{
    written_page page{of.page(kind, revision_of(rpc), given.cursor, rpc)};
    if (!page.text)
        throw rpc_error(invalid_params("cursor", "a cursor that this list has given"));
    return json_view::checked(*rpc.attach(std::move(page)).text);
}

void add_list(method_table& to, std::string_view name, const catalogue& of, feature_kind kind)
{
    const auto serve = [&of, kind](request_context& rpc, const list_params& given) {
        return list(of, kind, rpc, given);
    };
    to.add(std::string(name), serve, tolerant());
}

json_text discover(const catalogue& of, const request_context& rpc)
{
    const server_facts& server = of.server();
    json::object result{{"supportedVersions", json::array{json::string(to_string(newest_modern))}},
                        {"capabilities", of.capabilities(newest_modern, rpc.access().get())}};
    if (!server.options.instructions.empty())
        result["instructions"] = server.options.instructions;
    byte_buffer text;
    write_object(text, result);
    add_envelope(text, {.cache = cache_rule()}, server);
    return json_text(json_view::checked(text.view()));
}

json_text complete(const catalogue& of, const request_context& rpc, const complete_params& given)
{
    byte_buffer text;
    write_object(text, complete_argument(of, given, rpc.access().get()));
    if (era_of(revision_of(rpc)) == era::modern)
        add_envelope(text, {}, of.server());
    return json_text(json_view::checked(text.view()));
}

server_lifecycle& required_session(const std::shared_ptr<server_lifecycle>& session)
{
    if (!session)
        throw rpc_error(partyline::error_codes::internal_error, "This session has not been prepared by the server");
    return *session;
}

// A resource that is hidden from the client is subscribed to as one that there is not: nothing is told of it.
json::object subscribe(request_context& rpc, const uri_params& given)
{
    const std::shared_ptr<const access_view> by = rpc.access();
    require_scope(judge(by.get(), feature_kind::resource, given.uri));
    required_session(session_of(rpc)).subscribe(given.uri);
    return {};
}

json::object unsubscribe(request_context& rpc, const uri_params& given)
{
    required_session(session_of(rpc)).unsubscribe(given.uri);
    return {};
}

json::object set_log_level(request_context& rpc, const level_params& given)
{
    required_session(session_of(rpc)).set_log_from(given.level);
    return {};
}

// What stands for tools, resources and prompts is served itself where none is meant.

[[noreturn]] void refuse_unknown(const char* what, const std::string& name)
{
    constexpr std::size_t longest = 200; // of what is shown of it
    throw rpc_error(partyline::error_codes::invalid_params,
                    "Unknown " + std::string(what) + ": " + printable(name, longest));
}

void call_unknown_tool(const name_params& given)
{
    refuse_unknown("tool", given.name);
}

void get_unknown_prompt(const name_params& given)
{
    refuse_unknown("prompt", given.name);
}

void read_unknown_resource(request_context& rpc, const uri_params& given)
{
    const bool is_modern = era_of(revision_of(rpc)) == era::modern;
    throw rpc_error(is_modern ? partyline::error_codes::invalid_params : error_codes::resource_not_found,
                    "Resource not found", json::object{{"uri", given.uri}});
}

template <class F>
method make_group(std::string_view name, F unknown)
{
    constexpr bool is_notification = false;
    constexpr bool is_group = true;
    return {std::string(name), tolerant(), partyline::detail::make_handler(unknown), is_notification, is_group};
}

} // namespace

method make_failing_method()
{
    return {{}, {}, partyline::detail::make_handler([](json_view) { throw std::bad_alloc(); })}; // whatever its params
}

std::vector<method> make_groups(const catalogue& of)
{
    std::vector<method> all;
    if (of.has(feature_kind::tool))
        all.push_back(make_group(methods::call_tool, &call_unknown_tool));
    if (of.has_resources())
        all.push_back(make_group(methods::read_resource, &read_unknown_resource));
    if (of.has(feature_kind::prompt))
        all.push_back(make_group(methods::get_prompt, &get_unknown_prompt));
    return all;
}

method_table make_protocol_methods(const catalogue& of)
{
    method_table all;
    all.add(std::string(methods::discover), [&of](request_context& rpc) { return discover(of, rpc); }, tolerant());
    all.add(std::string(methods::set_log_level), &set_log_level, tolerant());
    add_listen_method(all, of);
    if (of.has(feature_kind::tool))
        add_list(all, methods::list_tools, of, feature_kind::tool);
    if (of.has_resources()) {
        add_list(all, methods::list_resources, of, feature_kind::resource);
        add_list(all, methods::list_templates, of, feature_kind::resource_template);
        all.add(std::string(methods::subscribe), &subscribe, tolerant());
        all.add(std::string(methods::unsubscribe), &unsubscribe, tolerant());
    }
    if (of.has(feature_kind::prompt))
        add_list(all, methods::list_prompts, of, feature_kind::prompt);
    if (of.has_completions())
        all.add(
            std::string(methods::complete),
            [&of](request_context& rpc, const complete_params& given) { return complete(of, rpc, given); }, tolerant());
    all.around_requests(request_chain(of.server()));
    return all;
}

} // namespace partyline::mcp
