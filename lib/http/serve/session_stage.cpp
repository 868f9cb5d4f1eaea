#include "http/serve/session_stage.hpp"

#include "http/serve/http_service.hpp"
#include "http/serve/timed_connections.hpp"
#include "session/grant_renewal.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/transport/detail/stream_adapter.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>

#include <chrono>
#include <new>
#include <optional>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// Looked at by each tick where its peer has a grant.
class session_stage final : public timed_connection {
public:
    session_stage(std::shared_ptr<http_service> core, std::shared_ptr<stream_driver> of,
                  std::optional<grant_renewal> renewal)
        : core_(std::move(core)), driver_(std::move(of)), renewal_(std::move(renewal))
    {
        if (renewal_)
            core_->connections().place(*this, timed_connections::state::busy);
    }
    ~session_stage() override
    {
        core_->connections().remove(*this);
        stop_at_once();
    }

    void on_tick(clock::time_point) override
    {
        try {
            renewal_->renew(*driver_, std::chrono::system_clock::now());
        } catch (const std::bad_alloc&) { // the next tick does it
        }
    }
    bool has_waited_too_long(clock::time_point) const noexcept override { return false; }
    void give_up() noexcept override {} // its time to end in order is `session_options::drain_timeout`

    void close_in_order() override { driver_->close(); }
    void stop_at_once() noexcept override
    {
        try {
            driver_->stop(asio::error::operation_aborted);
        } catch (const std::bad_alloc&) { // it ends by itself, when its peer goes
        }
    }

private:
    const std::shared_ptr<http_service> core_;
    const std::shared_ptr<stream_driver> driver_;
    std::optional<grant_renewal> renewal_;
};

} // namespace

std::unique_ptr<served_connection> serve_session(const std::shared_ptr<http_service>& core, socket_channel channel,
                                                 begun_session begun, std::function<void(error_code)> on_end)
{
    const asio::any_io_executor executor = channel.get_executor();
    auto stream = std::make_unique<partyline::detail::stream_adapter<socket_channel>>(std::move(channel), executor);
    std::optional<grant_renewal> renewal;
    if (begun.grant)
        renewal.emplace(core->options().access, std::move(begun.grant), begun.options);
    auto driver = std::make_shared<stream_driver>(executor, std::move(stream), std::move(begun.methods),
                                                  std::move(begun.options), std::move(begun.frames));
    driver->set_sender(std::move(begun.sender));
    auto stage = std::make_unique<session_stage>(core, driver, std::move(renewal));
    driver->start(completion<error_code>(asio::bind_executor(executor, std::move(on_end)), executor));
    return stage;
}

} // namespace partyline::http
