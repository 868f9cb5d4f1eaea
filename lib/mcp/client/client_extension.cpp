#include <partyline/mcp/client/client_extension.hpp>

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/input_requests.hpp"
#include "mcp/client/operation.hpp"
#include "mcp/client/requests.hpp"
#include "mcp/client/time_limit.hpp"
#include "mcp/wire/methods.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/printable.hpp>

#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

using weak_client = std::weak_ptr<client_core>;

client_core_ptr started(const weak_client& of)
{
    client_core_ptr core = of.lock();
    if (!core)
        throw failed_call(errc::session_closed);
    core->check_started();
    return core;
}

task<json_text> request_served(weak_client of, std::string extension, std::string method, call_params params,
                               call_hooks hooks)
{
    const client_core_ptr core = started(of);
    if (!core->served_extension(extension))
        throw failed_call(client_errc::not_declared, extension);
    task<json_text> asked = request(core, std::move(method), std::move(params), std::move(hooks));
    co_return co_await std::move(asked);
}

task<void> subscribe_served(weak_client of, listen_subject what)
{
    const client_core_ptr core = started(of);
    if (!core->served_extension(what.extension))
        throw failed_call(client_errc::not_declared, what.extension);
    if (core->era() != era::modern)
        throw failed_call(client_errc::not_subscribed, what.name());
    task<void> opening = core->changes().subscribe(std::move(what));
    co_await std::move(opening);
}

task<void> unsubscribe_served(weak_client of, listen_subject what)
{
    const client_core_ptr core = started(of);
    task<void> ending = core->changes().unsubscribe(std::move(what));
    co_await std::move(ending);
}

task<json::object> answer_served(weak_client of, std::string extension, json::object questions,
                                 time_limit::clock::duration most)
{
    const client_core_ptr core = started(of);
    const time_limit limit(most);
    task<json::object> answering = answer_questions(core, std::move(extension), std::move(questions), limit);
    co_return co_await std::move(answering);
}

} // namespace

std::optional<json::object> client_extension::served() const
{
    const client_core_ptr core = of_.lock();
    const json::object* const settings = core ? core->served_extension(name_) : nullptr;
    return settings ? std::optional(*settings) : std::nullopt;
}

operation<json_text> client_extension::request(std::string method, call_params params, call_hooks hooks) const
{
    return operation_of(home_, request_served(of_, name_, std::move(method), std::move(params), std::move(hooks)));
}

operation<void> client_extension::subscribe(std::string member, std::optional<std::string> key) const
{
    if (member.empty() || is_protocol_topic(member))
        throw std::invalid_argument('"' + printable(member) + "\" is no topic of the extension \"" + name_ + '"');
    return operation_of(home_, subscribe_served(of_, {name_, std::move(member), std::move(key)}));
}

operation<void> client_extension::unsubscribe(std::string member, std::optional<std::string> key) const
{
    return operation_of(home_, unsubscribe_served(of_, {name_, std::move(member), std::move(key)}));
}

operation<json::object> client_extension::answer(json::object questions, std::chrono::steady_clock::duration most) const
{
    return operation_of(home_, answer_served(of_, name_, std::move(questions), most));
}

} // namespace partyline::mcp
