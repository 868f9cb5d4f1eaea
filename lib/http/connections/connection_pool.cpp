#include "http/connections/connection_pool.hpp"

#include "http/connections/client_failure.hpp"

#include <partyline/protocol/printable.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// Over one that was used before, if there is one. False: it was closed meanwhile, and nothing was sent.
asio::awaitable<bool> try_send(shared_connection over, client_request request, time_limit until)
{
    try {
        co_await over->send(std::move(request), until);
    } catch (const boost::system::system_error& e) {
        if (over->may_have_sent() || e.code() == asio::error::operation_aborted)
            throw;
        co_return false;
    }
    co_return true;
}

asio::awaitable<pooled_response> send_by(std::shared_ptr<pool_core> core, client_request request, time_limit until)
{
    core->by().address(request);
    pool_core::place held = co_await core->take_place(request.is_control, until);
    while (shared_connection idle = core->take_idle()) {
        const bool is_sent = co_await try_send(idle, request, until);
        if (is_sent)
            co_return pooled_response(std::move(held), std::move(idle), std::move(request.secrets));
    }
    shared_connection opened = co_await core->open(until);
    shown_secrets secrets = request.secrets;
    co_await opened->send(std::move(request), until);
    co_return pooled_response(std::move(held), std::move(opened), std::move(secrets));
}

asio::awaitable<pooled_response> send_once(std::shared_ptr<pool_core> core, client_request request, time_limit until)
{
    pooled_response response = co_await send_by(std::move(core), std::move(request), until);
    refuse_redirect(response.head(), response.secrets());
    co_return response;
}

} // namespace

connection_pool::connection_pool(asio::any_io_executor executor, url to, connection_options options)
    : core_(std::make_shared<pool_core>(connector(std::move(executor), std::move(to), std::move(options))))
{
}

asio::awaitable<pooled_response> connection_pool::send(client_request request, time_limit until)
{
    return send_once(core_, std::move(request), until);
}

asio::awaitable<std::string> pooled_response::read_all(std::size_t most, time_limit until)
{
    std::string all;
    while (true) {
        const std::string piece = co_await read_some(until);
        if (piece.empty())
            co_return all;
        if (piece.size() > most - all.size())
            fail(errc::message_too_large, "the answer is longer than " + std::to_string(most) + " bytes");
        all += piece;
    }
}

void refuse_redirect(const received_head& head, const shown_secrets& secrets)
{
    if (head.status / 100 != 3 || head.status == 304)
        return;
    constexpr std::size_t longest = 300;
    const std::string to = without_secrets(head.find("location"), secrets);
    const std::string status = "HTTP status " + std::to_string(head.status);
    fail(errc::bad_reply,
         to.empty() ? status : status + ", which leads to '" + printable(to, longest) + "': use that address");
}

} // namespace partyline::http
