#include "gateway/handshake.hpp"

#include "gateway/member_text.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/system/system_error.hpp>

#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::call_params;
using partyline::json_text;

namespace gateway {

void handshake::note_greeted(said greeting, json_text result)
{
    greeting_ = std::move(greeting);
    result_ = std::move(result);
}

// What is no greeting may be refused: the new server need not have all that the last one had.
asio::awaitable<void> handshake::repeat(partyline::caller& server, std::set<std::string> uris)
{
    if (!greeting_)
        co_return;
    auto greeted =
        co_await server.call("initialize", call_params(greeting_->params))(asio::as_tuple(asio::use_awaitable));
    auto& [failed, reply] = greeted;
    if (failed || reply.error())
        throw boost::system::system_error(failed ? failed : make_error_code(partyline::errc::refused));
    result_ = std::move(reply).value();
    if (!is_initialized_)
        co_return;
    co_await server.notify("notifications/initialized");
    if (level_)
        co_await server.call("logging/setLevel", call_params(level_->params))(asio::as_tuple(asio::use_awaitable));
    for (const std::string& uri : uris)
        server.call("resources/subscribe", call_params(json::object{{"uri", uri}}))(asio::detached);
}

std::vector<std::string> handshake::changing_lists() const
{
    std::vector<std::string> lists;
    for (const std::string_view list : {"tools", "resources", "prompts"}) {
        if (member_text(result_, {"capabilities", list, "listChanged"}) == "true")
            lists.emplace_back(list);
    }
    return lists;
}

} // namespace gateway
