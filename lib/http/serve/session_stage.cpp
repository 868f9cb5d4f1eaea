#include "http/serve/session_stage.hpp"

#include "transport/stream/stream_driver.hpp"

#include <partyline/transport/detail/stream_adapter.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

class session_stage final : public served_connection {
public:
    explicit session_stage(std::shared_ptr<stream_driver> of) : driver_(std::move(of)) {}
    ~session_stage() override { stop_at_once(); }

    void close_in_order() override { driver_->close(); }
    void stop_at_once() override
    {
        try {
            driver_->stop(asio::error::operation_aborted);
        } catch (const std::bad_alloc&) { // it ends by itself, when its peer goes
        }
    }

private:
    std::shared_ptr<stream_driver> driver_;
};

} // namespace

std::unique_ptr<served_connection> serve_session(socket_channel channel, std::unique_ptr<framing> frames,
                                                 std::shared_ptr<const dispatcher> methods, session_options options,
                                                 std::function<void(error_code)> on_end)
{
    if (!methods)
        throw std::invalid_argument("a session needs methods, and got a null pointer");
    const asio::any_io_executor executor = channel.get_executor();
    auto stream = std::make_unique<partyline::detail::stream_adapter<socket_channel>>(std::move(channel), executor);
    auto driver = std::make_shared<stream_driver>(executor, std::move(stream), std::move(methods), std::move(options),
                                                  std::move(frames));
    auto stage = std::make_unique<session_stage>(driver);
    driver->start(completion<error_code>(asio::bind_executor(executor, std::move(on_end)), executor));
    return stage;
}

} // namespace partyline::http
