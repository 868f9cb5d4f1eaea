#include <partyline/http/oauth_client.hpp>

#include "http/oauth/oauth_core.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// Keeps the core while it runs.
asio::awaitable<std::string> token_of(std::shared_ptr<oauth_core> core, std::optional<challenge> after)
{
    co_return co_await core->get(std::move(after));
}

} // namespace

oauth_client::oauth_client(asio::any_io_executor executor, const std::string& server, oauth_options options)
    : core_(std::make_shared<oauth_core>(executor, server, std::move(options)))
{
}

oauth_client::~oauth_client()
{
    core_->stop();
}

std::string oauth_client::server() const
{
    return core_->server();
}

std::optional<std::string> oauth_client::known()
{
    return core_->known();
}

asio::awaitable<std::string> oauth_client::token(std::optional<challenge> after)
{
    asio::awaitable<std::string> work = token_of(core_, std::move(after));
    co_return co_await asio::co_spawn(core_->strand(), std::move(work), asio::use_awaitable);
}

} // namespace partyline::http
