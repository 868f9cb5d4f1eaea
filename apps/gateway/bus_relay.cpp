#include "gateway/bus_relay.hpp"

#include "gateway/filtered_reply.hpp"
#include "gateway/judged_request.hpp"
#include "gateway/member_text.hpp"
#include "gateway/told_revision.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/system/system_error.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace json = boost::json;
using partyline::json_text;
using partyline::request_context;

namespace gateway {
namespace {

// What lasts longer than a call, and so belongs to one worker. `initialize` of 2026-07-28 is no method at all.
void refuse_lasting(std::string_view method, const json_text& params)
{
    if (method == "initialize" && !revision_of(partyline::json_view::checked(params.text()))) {
        json::object data{{"supported", json::array{"2026-07-28"}}};
        if (const auto asked = member_string(params, {"protocolVersion"}))
            data["requested"] = *asked;
        throw partyline::rpc_error(partyline::error_codes::invalid_params, "Unsupported protocol version",
                                   std::move(data));
    }
    if (method == "initialize" || method == listen_method || method == "resources/subscribe" ||
        method == "logging/setLevel")
        throw partyline::rpc_error(partyline::error_codes::method_not_found,
                                   "Not served over a bus: what lasts longer than a call");
}

} // namespace

bus_relay::bus_relay(protocol speaks, std::shared_ptr<shared_front> front)
    : profile_(speaks), front_(std::move(front)), methods_(make_methods())
{
}

partyline::method_table bus_relay::make_methods()
{
    partyline::method_table made;
    made.set_fallback(
        [this](request_context& context, json_text params) { return forward(context, std::move(params)); });
    return made;
}

partyline::fleet::fleet_call bus_relay::call_of(request_context& context, json_text params,
                                                const command_line::observed_call* observed) const
{
    const bool may_repeat = profile_.speaks() == protocol::mcp && front_->may_repeat(context.method(), params);
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
    return front_->observe()({context.trace(), context.method(), text, profile_.revision()});
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
    const std::string method(context.method());
    if (const std::shared_ptr<const partyline::access_view> by = context.access())
        params = judged_params(*by, method, std::move(params));
    if (profile_.speaks() == protocol::mcp)
        refuse_lasting(method, params);
    partyline::response reply = co_await ask(context, std::move(params));
    if (reply.error())
        throw partyline::rpc_error(*reply.error());
    json_text result = std::move(reply).value();
    if (method == "tools/list")
        front_->note_list(result);
    if (context.has_trace() && method == call_tool_method && rare_member_text(result, {"isError"}) == "true")
        context.note_tool_error();
    const std::shared_ptr<const partyline::access_view> now = context.access(); // it may have changed meanwhile
    co_return now ? filtered_reply(*now, method, std::move(result)) : std::move(result);
}

} // namespace gateway
