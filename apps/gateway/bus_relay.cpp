#include "gateway/bus_relay.hpp"

#include "gateway/filtered_reply.hpp"
#include "gateway/judged_request.hpp"
#include "gateway/member_text.hpp"
#include "gateway/message_parts.hpp"
#include "gateway/told_revision.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/system/system_error.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace json = boost::json;
using partyline::json_text;
using partyline::request_context;

namespace gateway {
namespace {

bool begins_session(std::string_view method, const json_text& params)
{
    return method == "initialize" && !member_text(params, {"protocolVersion"}).empty() &&
           !revision_of(partyline::json_view::checked(params.text())); // of 2026-07-28 it is no method at all
}

partyline::rpc_error unsupported_version(const json_text& params)
{
    const std::optional<std::string> asked = member_string(params, {"protocolVersion"});
    if (!asked)
        return partyline::rpc_error(invalid_params("protocolVersion", "string"));
    return {partyline::error_codes::invalid_params, "Unsupported protocol version",
            json::object{{"supported", json::array{"2026-07-28"}}, {"requested", *asked}}};
}

// Whichever worker were asked would remember it, for others.
void refuse_outside_session(std::string_view method, const json_text& params)
{
    const bool greets = method == "initialize";
    if (greets && !revision_of(partyline::json_view::checked(params.text())))
        throw unsupported_version(params);
    if (greets || method == "resources/subscribe" || method == "resources/unsubscribe" || method == "logging/setLevel")
        throw partyline::rpc_error(partyline::error_codes::method_not_found,
                                   "Served in a session alone, which begins with initialize");
}

} // namespace

bus_relay::bus_relay(protocol speaks, std::shared_ptr<shared_front> front, std::optional<session_client> for_session)
    : profile_(std::make_shared<relay_profile>(speaks)), front_(std::move(front)), for_session_(std::move(for_session)),
      methods_(make_methods())
{
}

partyline::method_table bus_relay::make_methods()
{
    const auto pass_on = [this](request_context& context, json_text params) {
        return forward(context, std::move(params));
    };
    partyline::method_table made;
    made.set_fallback(pass_on);
    if (profile_->speaks() != protocol::plain)
        add_listen(made, pass_on);
    if (for_session_)
        add_handshake(made, pass_on);
    return made;
}

partyline::fleet::fleet_call bus_relay::call_of(request_context& context, json_text params,
                                                const command_line::observed_call* observed) const
{
    const bool may_repeat = profile_->is_mcp() && front_->may_repeat(context.method(), params);
    partyline::fleet::fleet_call call = partyline::fleet::front::call_of(context, std::move(params));
    call.is_idempotent = may_repeat;
    if (observed)
        call.traceparent = observed->trace().traceparent();
    return call;
}

std::unique_ptr<command_line::observed_call> bus_relay::observe(request_context& context, const json_text& params) const
{
    if (!front_->observe() || context.id().empty())
        return nullptr;
    const partyline::json_view text = partyline::json_view::checked(params.text());
    return front_->observe()({context.trace(), context.method(), text, profile_->revision()});
}

partyline::task<partyline::response> bus_relay::ask(request_context& context, json_text params)
{
    const std::unique_ptr<command_line::observed_call> observed = observe(context, params);
    partyline::fleet::fleet_call call = call_of(context, std::move(params), observed.get());
    const auto passes = [&context](std::string_view method, const json_text& told) {
        return may_hear(context.access().get(), method, told);
    };
    partyline::error_code failed;
    partyline::response reply;
    try {
        reply = co_await front_->calls().forward(context, std::move(call), passes);
    } catch (const boost::system::system_error& e) {
        failed = e.code();
    }
    if (observed)
        observed->end(failed, reply);
    if (failed)
        throw boost::system::system_error(failed);
    co_return reply;
}

partyline::task<json_text> bus_relay::forward(request_context& context, json_text params)
{
    const bool is_mcp = profile_->is_mcp();
    const bool is_request = !context.id().empty();
    const std::string_view method = context.method();
    if (is_mcp && is_request && for_session_ && !session_ && begins_session(method, params))
        session_ = relay::within(profile_, front_->lasting().for_session(for_session_->peer));
    if (session_)
        co_return co_await session_->forward(context, std::move(params));
    if (is_mcp)
        refuse_outside_session(method, params);
    if (is_mcp && method == listen_method && is_request)
        co_return co_await listen(context, std::move(params));
    if (is_mcp && method == listen_method) // nobody is there to hear
        co_return json_text();
    co_return co_await forward_call(context, std::move(params));
}

// Each at any worker, whose end is the end of that one alone.
partyline::task<json_text> bus_relay::listen(request_context& context, json_text params)
{
    // The relay judges once more what it sends; but for who may not listen, no session with a worker is begun.
    if (const std::shared_ptr<const partyline::access_view> by = context.access())
        params = judged_params(*by, listen_method, std::move(params));
    const std::shared_ptr<relay> one = relay::within(profile_, front_->lasting().for_listen(context));
    co_return co_await one->forward(context, std::move(params));
}

partyline::task<json_text> bus_relay::forward_call(request_context& context, json_text params)
{
    const std::string method(context.method());
    if (const std::shared_ptr<const partyline::access_view> by = context.access())
        params = judged_params(*by, method, std::move(params));
    partyline::response reply = co_await ask(context, std::move(params));
    if (reply.error())
        throw partyline::rpc_error(*reply.error());
    json_text result = std::move(reply).value();
    if (profile_->is_mcp() && method == "tools/list")
        front_->note_list(result);
    if (context.has_trace() && method == call_tool_method && rare_member_text(result, {"isError"}) == "true")
        context.note_tool_error();
    const std::shared_ptr<const partyline::access_view> now = context.access(); // it may have changed meanwhile
    co_return now ? filtered_reply(*now, method, std::move(result)) : std::move(result);
}

} // namespace gateway
