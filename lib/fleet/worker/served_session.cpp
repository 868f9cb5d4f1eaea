#include "fleet/worker/served_session.hpp"

#include "fleet/channel/channel_stream.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/session/trace_context.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::fleet {

void serve_session(const std::shared_ptr<channel>& by, const asio::any_io_executor& executor,
                   std::shared_ptr<const dispatcher> methods, session_options options, const std::string& traceparent)
{
    options.executor_is_serial = true;
    options.at_end_of_input = end_of_input::peer_gone; // a front that goes on would have said so
    auto lines = std::make_unique<line_framing>(options.bounds);
    const bool is_traced = options.on_served && !traceparent.empty();
    const auto driver = std::make_shared<stream_driver>(executor, std::make_unique<channel_stream>(by),
                                                        std::move(methods), std::move(options), std::move(lines));
    if (is_traced)
        driver->set_sender({trace_context::parse(traceparent)});
    by->set_session(driver);
    asio::post(executor, [driver, executor] {
        driver->start(completion<error_code>(asio::bind_executor(executor, [](error_code) {}), executor));
    });
}

} // namespace partyline::fleet
