#include <partyline/lsp/handshake.hpp>

#include <partyline/rpc/detail/read_result.hpp>

#include <boost/asio/use_awaitable.hpp>

#include <mutex>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::lsp {

struct handshake::shared {
    const json::value params;
    mutable std::mutex mutex; // for what follows
    json::value result;
};

handshake::handshake(json::value params) : shared_(new shared{std::move(params), {}, {}}) {}

asio::awaitable<void> handshake::operator()(caller& server) const
{
    return greet(server, shared_); // which outlives this
}

json::value handshake::result() const
{
    const std::lock_guard lock(shared_->mutex);
    return shared_->result;
}

asio::awaitable<void> handshake::greet(caller& server, std::shared_ptr<shared> what)
{
    json::value result = co_await server.call<json::value>("initialize", what->params);
    {
        const std::lock_guard lock(what->mutex);
        what->result = std::move(result);
    }
    const json::value none = json::object();
    co_await server.notify("initialized", none);
}

asio::awaitable<void> shutdown_and_exit(caller& server)
{
    co_await server.call<void>("shutdown");
    co_await server.notify("exit");
}

} // namespace partyline::lsp
