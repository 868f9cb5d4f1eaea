#include "gateway/shared_front.hpp"

#include "gateway/judged_request.hpp"
#include "gateway/member_text.hpp"

#include <partyline/config.hpp>
#include <partyline/mcp/revision.hpp>
#include <partyline/protocol/error.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

namespace json = boost::json;
using partyline::json_text;

namespace gateway {
namespace {

constexpr std::string_view list_tools_method = "tools/list";

// Requests of MCP that change nothing at the server.
constexpr std::string_view reading_methods[] = {
    "completion/complete",      "ping",         "prompts/get",     "prompts/list",   "resources/list", "resources/read",
    "resources/templates/list", "rpc.discover", "server/discover", list_tools_method};

bool is_reading(std::string_view method)
{
    return std::ranges::find(reading_methods, method) != std::end(reading_methods);
}

json_text list_params(const std::string& cursor)
{
    json::object meta;
    meta["io.modelcontextprotocol/protocolVersion"] = to_string(partyline::mcp::revision::v2026_07_28);
    meta["io.modelcontextprotocol/clientInfo"] =
        json::object{{"name", "partyline-gateway"}, {"version", PARTYLINE_VERSION_STRING}};
    meta["io.modelcontextprotocol/clientCapabilities"] = json::object();
    json::object params{{"_meta", std::move(meta)}};
    if (!cursor.empty())
        params["cursor"] = cursor;
    return json_text(json::serialize(params));
}

} // namespace

shared_front::shared_front(boost::asio::any_io_executor executor, partyline::fleet::front calls,
                           const front_settings& settings)
    : calls_(std::move(calls)), settings_(settings), tools_(std::make_shared<listed_tools>(executor)),
      lasting_(std::move(executor), calls_, settings)
{
}

void shared_front::note_list(const json_text& result)
{
    has_list_ = true;
    tools_->note_list(result);
}

bool shared_front::may_repeat(std::string_view method, const json_text& params)
{
    if (method != call_tool_method)
        return is_reading(method);
    if (tools_->is_empty() && !std::exchange(has_list_, true))
        ask_for_tools(1, {});
    const std::optional<std::string> tool = member_string(params, {"name"});
    return tool && tools_->is_idempotent(*tool);
}

// Where no worker has answered, a later call asks again.
void shared_front::ask_for_tools(std::size_t page, const std::string& cursor)
{
    partyline::fleet::fleet_call list;
    list.method = list_tools_method;
    list.params = list_params(cursor);
    list.deadline = std::chrono::seconds(30);
    list.is_idempotent = true;
    calls_.call(std::move(list))(
        [late = weak_from_this(), page](partyline::error_code failed, const partyline::response& reply) {
            const auto self = late.lock();
            if (self && !failed)
                self->on_tools(page, reply);
        });
}

void shared_front::on_tools(std::size_t page, const partyline::response& reply)
{
    constexpr std::size_t most_pages = 100;
    if (const partyline::error_object* const error = reply.error()) {
        has_list_ = error->code == partyline::error_codes::method_not_found; // it has no tools
        return;
    }
    note_list(reply.value());
    const std::optional<std::string> next = member_string(reply.value(), {"nextCursor"});
    if (next && page < most_pages)
        ask_for_tools(page + 1, *next);
}

} // namespace gateway
