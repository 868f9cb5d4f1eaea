#include "mcp/wire/sampling_messages.hpp"

#include <boost/json/array.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

void add_blocks(json::array& to, json::object& message)
{
    json::array* const blocks = message.at("content").if_array();
    if (!blocks) {
        to.push_back(std::move(message));
        return;
    }
    for (json::value& block : *blocks)
        to.push_back(json::object{{"role", message.at("role")}, {"content", std::move(block)}});
}

} // namespace

void fit_sampling_messages(json::object& params, revision r)
{
    if (r >= revision::v2025_11_25)
        return;
    json::array fit;
    for (json::value& message : params.at("messages").as_array())
        add_blocks(fit, message.as_object());
    params["messages"] = std::move(fit);
}

} // namespace partyline::mcp
