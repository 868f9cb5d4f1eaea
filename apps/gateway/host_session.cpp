#include "gateway/host_session.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <utility>

namespace asio = boost::asio;
using partyline::error_code;
using partyline::json_text;
using partyline::response;

namespace gateway {
namespace {

// Has `begin` called with the session, and what completes there; that goes unused where there is no session any more.
template <class Handler, class Begin>
void post_to(const std::shared_ptr<partyline::session_link>& link, Handler handler, Begin begin)
{
    const auto done = std::make_shared<Handler>(std::move(handler));
    if (link)
        link->post([done, begin = std::move(begin)](partyline::live_session& host) { begin(host, done); });
}

} // namespace

asio::awaitable<void> host_session::tell(std::string method, json_text params)
{
    auto telling = asio::async_initiate<const asio::use_awaitable_t<>, void()>(
        [](auto handler, std::shared_ptr<partyline::session_link> link, std::string name, json_text given) {
            post_to(link, std::move(handler), [name, given](partyline::live_session& host, const auto& done) {
                host.async_notify(name, given, [done](error_code) { std::move (*done)(); });
            });
        },
        asio::use_awaitable, profile_.link(), std::move(method), std::move(params));
    co_await std::move(telling);
}

asio::awaitable<response> host_session::ask(std::string method, json_text params)
{
    auto asking = asio::async_initiate<const asio::use_awaitable_t<>, void(response)>(
        [](auto handler, std::shared_ptr<partyline::session_link> link, std::string name, json_text given) {
            post_to(link, std::move(handler), [name, given](partyline::live_session& host, const auto& done) {
                host.async_call(name, given, partyline::call_options(),
                                [done](error_code, response reply) { std::move (*done)(std::move(reply)); });
            });
        },
        asio::use_awaitable, profile_.link(), std::move(method), std::move(params));
    response reply = co_await std::move(asking);
    co_return reply;
}

void host_session::log(std::string_view line) const
{
    if (profile_.link())
        profile_.link()->log(partyline::printable(line, 1000));
}

} // namespace gateway
