#include "server/session_service.hpp"

#include "session/check_options.hpp"
#include "session/use_grant.hpp"
#include "session_access.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/session/detail/serial_executor.hpp>
#include <partyline/transport/detail/stream_adapter.hpp>

#include <boost/asio/bind_executor.hpp>

#include <optional>
#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

using namespace std::chrono_literals;

struct served_session final : served_connection {
    explicit served_session(session opened) : one(std::move(opened)) {}
    void close_in_order() override { one.close(); }
    void stop_at_once() override { one.stop(); }

    session one;
    std::optional<renewed_session> renewed;
};

} // namespace

void set_accepted_defaults(session_options& own)
{
    if (!own.drain_timeout)
        own.drain_timeout = 5s;
    if (!own.first_message_timeout)
        own.first_message_timeout = 30s;
    if (!own.idle_timeout)
        own.idle_timeout = 1h;
}

session_service::session_service(asio::any_io_executor strand, served_methods methods, server_options options)
    : strand_(std::move(strand)), methods_(std::move(methods)), options_(std::move(options)),
      authenticator_(options_.access, options_.session.log)
{
    check_options(options_.session);
    if (!options_.session.budget && options_.memory_bytes != 0)
        options_.session.budget = std::make_shared<memory_budget>(options_.memory_bytes);
    if (options_.access)
        renewals_ = std::make_shared<session_renewals>(strand_);
}

std::unique_ptr<served_connection> session_service::serve(listener::connection accepted, connection_hooks hooks)
{
    session_options options = options_.session;
    const auto peer = std::make_shared<const peer_identity>(std::move(accepted.peer));
    options.peer = peer;
    const std::shared_ptr<const access_grant> grant = options_.access ? authenticator_.authenticate(*peer) : nullptr;
    if (grant)
        use_grant(options, *grant, *peer);
    else if (options_.access)
        return nullptr;
    if (options_.on_session_start)
        options_.on_session_start(options, *peer);
    const asio::any_io_executor executor = detail::serial_executor(accepted.stream.get_executor(), options);
    auto methods = methods_.for_session(executor, options);
    set_accepted_defaults(options);
    std::optional<grant_renewal> renewal;
    if (grant)
        renewal.emplace(options_.access, grant, options);
    auto stream = std::make_unique<detail::stream_adapter<listener::socket>>(std::move(accepted.stream), executor);
    const auto driver =
        std::make_shared<stream_driver>(executor, std::move(stream), std::move(methods), std::move(options));
    auto served = std::make_unique<served_session>(detail::session_access::make(driver));
    if (renewal)
        renewals_->add(served->renewed.emplace(driver, *std::move(renewal)));
    served->one.async_run(asio::bind_executor(strand_, std::move(hooks.on_end)));
    return served;
}

void session_service::on_over() noexcept
{
    if (renewals_)
        renewals_->stop();
}

void session_service::note_end(served_connection& gone, const error_code& why)
{
    if (options_.on_session_end)
        options_.on_session_end(static_cast<served_session&>(gone).one.counters(), why);
}

} // namespace partyline
