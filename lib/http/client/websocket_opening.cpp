#include "http/client/websocket_opening.hpp"

#include "http/access/read_challenge.hpp"
#include "http/client/request_token.hpp"
#include "http/connections/client_failure.hpp"
#include "http/connections/refusal.hpp"
#include "http/websocket/websocket_upgrade.hpp"
#include "protocol/json/base64.hpp"
#include "protocol/json/fill_random.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/printable.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

std::string draw_key()
{
    std::array<char, 16> random;
    fill_random(random.data(), random.size());
    return encode_base64({random.data(), random.size()});
}

std::string joined(const std::vector<std::string>& all)
{
    std::string list;
    for (const std::string& one : all)
        list.append(list.empty() ? "" : ", ").append(one);
    return list;
}

// Completes with the connection that the answer has come by.
asio::awaitable<std::unique_ptr<client_connection>> ask(const connector& by, client_request request)
{
    const auto until = std::chrono::steady_clock::now() + by.options().connect_time;
    std::unique_ptr<client_connection> connection = co_await by.open(until);
    by.address(request);
    co_await connection->send(std::move(request), until);
    co_return connection;
}

opened_websocket take_opened(const websocket_opening& asked, client_connection& connection, const shown_secrets& shown)
{
    const received_head& head = connection.head();
    if (head.status != 101)
        fail(errc::http_status, status_words(head, shown) + " in place of WebSocket");
    if (const std::string problem = asked.problem(head); !problem.empty())
        fail(errc::bad_reply, problem);
    std::string chosen(head.find("sec-websocket-protocol"));
    const std::string first = connection.take_rest();
    return opened_websocket(std::move(connection.channel()).with_first(first), std::move(chosen));
}

} // namespace

websocket_opening::websocket_opening(std::vector<std::string> offered) : offered_(std::move(offered)), key_(draw_key())
{
}

client_request websocket_opening::request(std::string target, const std::vector<field_text>& fields) const
{
    client_request asked;
    asked.target = std::move(target);
    asked.fields = {{"Upgrade", "websocket"},
                    {"Connection", "Upgrade"},
                    {"Sec-WebSocket-Key", key_},
                    {"Sec-WebSocket-Version", "13"}};
    if (!offered_.empty())
        asked.fields.push_back({"Sec-WebSocket-Protocol", joined(offered_)});
    asked.fields.insert(asked.fields.end(), fields.begin(), fields.end());
    return asked;
}

std::string websocket_opening::problem(const received_head& head) const
{
    if (!has_element(head.fields, "upgrade", "websocket") || !has_element(head.fields, "connection", "upgrade"))
        return "the answer does not say that it goes on by WebSocket";
    if (head.find("sec-websocket-accept") != accept_value(key_))
        return "Sec-WebSocket-Accept is not what the key makes";
    if (head.find("sec-websocket-extensions").data())
        return "the server uses an extension that it was not offered";
    const std::string_view chosen = head.find("sec-websocket-protocol");
    if (chosen.data() && std::find(offered_.begin(), offered_.end(), chosen) == offered_.end())
        return "the server speaks a subprotocol that it was not offered: " + printable(chosen, 100);
    return {};
}

asio::awaitable<opened_websocket> open_websocket(const connector& by, std::vector<std::string> subprotocols)
{
    const std::shared_ptr<token_source> tokens = by.options().tokens;
    std::optional<request_token> token;
    if (tokens) {
        token.emplace(*tokens);
        co_await token->get();
    }
    for (;;) {
        const websocket_opening asked(subprotocols);
        client_request request = asked.request(by.server().target, by.options().fields);
        if (token)
            token->add_to(request);
        const shown_secrets shown = secrets_of(request.fields);
        std::unique_ptr<client_connection> connection = co_await ask(by, std::move(request));
        if (!token || !is_token_refusal(connection->head()))
            co_return take_opened(asked, *connection, shown);
        challenge refusal = read_challenge(connection->head().status, connection->head().fields);
        std::string words = status_words(connection->head(), shown);
        connection.reset();
        co_await token->replace(std::move(refusal), std::move(words));
    }
}

} // namespace partyline::http
