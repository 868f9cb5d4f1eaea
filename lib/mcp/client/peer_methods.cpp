#include "mcp/client/peer_methods.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/questions.hpp"

#include <partyline/rpc/method_table.hpp>

#include <functional>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

using weak_core = std::weak_ptr<client_core>;

json::object object_of(json::value params)
{
    json::object* const members = params.if_object();
    return members ? std::move(*members) : json::object();
}

// Where a server asks what it must not: a method that it was not told of is none, else it is the params that are wrong.
void check_question(const client_core& of, std::string_view method, question_kind kind, const json::object& params)
{
    if (of.era() == era::modern)
        throw rpc_error(partyline::error_codes::method_not_found, "Method not found");
    if (!can_answer(of, kind, params))
        throw rpc_error(partyline::error_codes::invalid_params,
                        "This client has not declared what is asked for by " + std::string(method));
}

task<json::value> serve_question(weak_core of, std::string method, json::value given)
{
    const std::shared_ptr<client_core> core = of.lock();
    if (!core)
        throw rpc_error();
    json::object params = object_of(std::move(given));
    const question_kind kind = kind_of(method, params);
    check_question(*core, method, kind, params);
    try {
        asked_question asked{{}, kind, std::move(params)};
        task<json::value> answer = answer_question(core, std::move(asked));
        co_return co_await std::move(answer);
    } catch (const failed_call& wrong) {
        throw rpc_error(partyline::error_codes::invalid_params, wrong.details());
    }
}

void add_question(method_table& to, const weak_core& of, const char* name)
{
    to.add(name, [of, method = std::string(name)](json::value params) {
        return serve_question(of, method, std::move(params));
    });
}

using told_function = void (*)(client_core& core, const json::object& params);

void add_told(method_table& to, const weak_core& of, const char* name, told_function told)
{
    to.add_notification(name, [of, told](json::value params) {
        if (const std::shared_ptr<client_core> core = of.lock())
            told(*core, object_of(std::move(params)));
    });
}

std::string string_in(const json::object& of, std::string_view name)
{
    const json::value* const found = of.if_contains(name);
    return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

// What is no message for the log is not told.
void tell_log(client_core& core, const json::object& params)
{
    const std::optional<log_level> level = find_log_level(string_in(params, "level"));
    const json::value* const data = params.if_contains("data");
    if (!core.handlers().log || !level || !data)
        return;
    const log_entry entry{*level, string_in(params, "logger"), *data};
    core.tell([&] { core.handlers().log(entry); });
}

template <std::function<void()> client_handlers::* Told>
void tell_changed(client_core& core, const json::object& params)
{
    if (core.handlers().*Told && core.changes().is_open(params))
        core.tell(core.handlers().*Told);
}

template <std::function<void(const std::string&)> client_handlers::* Told>
void tell_name(client_core& core, const std::string& name)
{
    const auto& told = core.handlers().*Told;
    if (told && !name.empty())
        core.tell([&] { told(name); });
}

void tell_updated(client_core& core, const json::object& params)
{
    if (core.changes().is_open(params))
        tell_name<&client_handlers::resource_updated>(core, string_in(params, "uri"));
}

void tell_page_done(client_core& core, const json::object& params)
{
    const std::string id = string_in(params, "elicitationId");
    if (core.pages().close(id))
        tell_name<&client_handlers::page_done>(core, id);
}

void tell_acknowledged(client_core& core, const json::object& params)
{
    core.changes().on_acknowledged(params);
}

void add_questions(method_table& to, const client_handlers& known, const weak_core& of)
{
    if (known.elicit || known.elicit_page)
        add_question(to, of, "elicitation/create");
    if (known.sample)
        add_question(to, of, "sampling/createMessage");
    if (known.has_roots)
        add_question(to, of, "roots/list");
}

} // namespace

std::shared_ptr<const dispatcher> make_peer_methods(client_core& of)
{
    const weak_core weak = of.weak_from_this();
    auto made = std::make_shared<method_table>();
    made->add("ping", [] { return json::object(); });
    add_questions(*made, of.handlers(), weak);
    add_told(*made, weak, "notifications/message", &tell_log);
    add_told(*made, weak, "notifications/tools/list_changed", &tell_changed<&client_handlers::tools_changed>);
    add_told(*made, weak, "notifications/prompts/list_changed", &tell_changed<&client_handlers::prompts_changed>);
    add_told(*made, weak, "notifications/resources/list_changed", &tell_changed<&client_handlers::resources_changed>);
    add_told(*made, weak, "notifications/resources/updated", &tell_updated);
    add_told(*made, weak, "notifications/subscriptions/acknowledged", &tell_acknowledged);
    add_told(*made, weak, "notifications/elicitation/complete", &tell_page_done);
    return made;
}

} // namespace partyline::mcp
