#include "mcp/client/peer_methods.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/questions.hpp"
#include "mcp/wire/methods.hpp"

#include <partyline/mcp/client/client_questions.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe/class.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace json = boost::json;

namespace partyline::mcp {

BOOST_DESCRIBE_STRUCT(log_entry, (), (level, logger, data))
constexpr auto notes_of(of<log_entry>)
{
    return notes(note(&log_entry::logger, defaulted));
}

namespace {

using weak_core = std::weak_ptr<client_core>;

json::object object_of(json::value params)
{
    json::object* const members = params.if_object();
    return members ? std::move(*members) : json::object();
}

const json::object& members_of(const json::value& whole)
{
    static const json::object none;
    const json::object* const members = whole.if_object();
    return members ? *members : none;
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

// Objects are values here: some servers write an empty one as [].
struct change_params {
    json::value meta;

    static constexpr auto notes()
    {
        return partyline::notes(note(&change_params::meta, wire_name("_meta"), defaulted));
    }
};
BOOST_DESCRIBE_STRUCT(change_params, (), (meta))

struct update_params : change_params {
    std::string uri;
};
BOOST_DESCRIBE_STRUCT(update_params, (change_params), (uri))

struct acknowledge_params : change_params {
    json::value notifications;

    static constexpr auto notes() { return partyline::notes(note(&acknowledge_params::notifications, defaulted)); }
};
BOOST_DESCRIBE_STRUCT(acknowledge_params, (change_params), (notifications))

struct page_params {
    std::string id;

    static constexpr auto notes() { return partyline::notes(note(&page_params::id, wire_name("elicitationId"))); }
};
BOOST_DESCRIBE_STRUCT(page_params, (), (id))

template <class Params>
void add_told(method_table& to, const weak_core& of, const char* name, void (*told)(client_core&, const Params&))
{
    const auto tell = [of, told](const Params& params) {
        if (const std::shared_ptr<client_core> core = of.lock())
            told(*core, params);
    };
    method_options how;
    how.binding.unknown = unknown_members::ignored;
    to.add_notification(name, tell, std::move(how));
}

void tell_log(client_core& core, const log_entry& entry)
{
    if (core.handlers().log)
        core.tell([&] { core.handlers().log(entry); });
}

void drop_tools(client_core& core) noexcept
{
    core.drop_tools();
}
void drop_prompts(client_core& core) noexcept
{
    core.results().drop(methods::list_prompts);
}
void drop_resources(client_core& core) noexcept
{
    core.results().drop_resources();
}

// One of a subscription that is open no longer is told to nobody; yet something has changed.
template <std::function<void()> client_handlers::* Told, void (*Drop)(client_core&) noexcept>
void tell_changed(client_core& core, const change_params& params)
{
    Drop(core);
    if (core.changes().is_open(members_of(params.meta)) && core.handlers().*Told)
        core.tell(core.handlers().*Told);
}

template <std::function<void(const std::string&)> client_handlers::* Told>
void tell_name(client_core& core, const std::string& name)
{
    const auto& told = core.handlers().*Told;
    if (told && !name.empty())
        core.tell([&] { told(name); });
}

void tell_updated(client_core& core, const update_params& params)
{
    core.results().drop_resource(params.uri);
    if (core.changes().is_open(members_of(params.meta)))
        tell_name<&client_handlers::resource_updated>(core, params.uri);
}

void tell_page_done(client_core& core, const page_params& params)
{
    if (core.pages().close(params.id))
        tell_name<&client_handlers::page_done>(core, params.id);
}

void tell_acknowledged(client_core& core, const acknowledge_params& params)
{
    core.changes().on_acknowledged(members_of(params.meta), members_of(params.notifications));
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

/// The protocol's, and those of extensions.
class peer_methods final : public dispatcher {
public:
    peer_methods(method_table own, const std::vector<declared_extension>& extensions) : own_(std::move(own))
    {
        for (const declared_extension& one : extensions)
            others_.push_back(one.methods);
    }

    const method* find(std::string_view name) const noexcept override
    {
        if (const method* const found = own_.find(name))
            return found;
        for (const std::shared_ptr<const extension_methods>& one : others_)
            if (const method* const found = one->find(name))
                return found;
        return nullptr;
    }

private:
    const method_table own_;
    std::vector<std::shared_ptr<const extension_methods>> others_;
};

} // namespace

std::shared_ptr<const dispatcher> make_peer_methods(client_core& of)
{
    const weak_core weak = of.weak_from_this();
    method_table made;
    made.add("ping", [] { return json::object(); });
    add_questions(made, of.handlers(), weak);
    add_told(made, weak, "notifications/message", &tell_log);
    add_told(made, weak, "notifications/tools/list_changed",
             &tell_changed<&client_handlers::tools_changed, &drop_tools>);
    add_told(made, weak, "notifications/prompts/list_changed",
             &tell_changed<&client_handlers::prompts_changed, &drop_prompts>);
    add_told(made, weak, "notifications/resources/list_changed",
             &tell_changed<&client_handlers::resources_changed, &drop_resources>);
    add_told(made, weak, "notifications/resources/updated", &tell_updated);
    add_told(made, weak, "notifications/subscriptions/acknowledged", &tell_acknowledged);
    add_told(made, weak, "notifications/elicitation/complete", &tell_page_done);
    return std::make_shared<const peer_methods>(std::move(made), of.handlers().extensions);
}

} // namespace partyline::mcp
