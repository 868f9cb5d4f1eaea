#include <partyline/http/client.hpp>

#include "http/client/client_driver.hpp"
#include "http/client_settings.hpp"
#include "session/redaction.hpp"
#include "session_access.hpp"

#include <partyline/http/websocket_client.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/detail/serial_executor.hpp>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>

#include <new>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// A client that was moved from has none.
client_driver& not_moved(const std::shared_ptr<client_driver>& driver)
{
    if (!driver)
        throw std::logic_error("this client was moved from");
    return *driver;
}

std::shared_ptr<client_driver> make_driver(asio::any_io_executor executor, const std::string& address,
                                           client_options options)
{
    const url to = parse_url(address);
    if (to.is_websocket())
        throw std::invalid_argument("'" + redacted(address) + "' is reached by WebSocket: see http::websocket_client");
    connection_options connections = connections_of(options, to, client_kind::json_rpc);
    const asio::any_io_executor serial = partyline::detail::serial_executor(std::move(executor), options.session);
    auto speaks = make_plain_protocol(std::string(options.session.profile->cancel_method));
    return std::make_shared<client_driver>(serial, to, std::move(connections), std::move(speaks),
                                           std::make_shared<const method_table>(), std::move(options.session));
}

} // namespace

client::client(asio::any_io_executor executor, const std::string& address, client_options options)
    : driver_(make_driver(std::move(executor), address, std::move(options)))
{
    const asio::any_io_executor serial = driver_->get_executor();
    completion<error_code> nobody([](error_code) {}, serial);
    asio::dispatch(serial, [driver = driver_, told = std::move(nobody)]() mutable { driver->start(std::move(told)); });
}

client& client::operator=(client&& other) noexcept
{
    client old(std::move(*this)); // stops it
    driver_ = std::move(other.driver_);
    return *this;
}

client::~client()
{
    try {
        if (driver_)
            driver_->stop(asio::error::operation_aborted);
    } catch (const std::bad_alloc&) { // its calls end by themselves
    }
}

void client::check_callable() const
{
    not_moved(driver_);
}

void client::start_call(std::string method, call_params params, call_options options, call_handler done)
{
    send_call(not_moved(driver_), std::move(method), params, std::move(options), std::move(done));
}

void client::start_notify(std::string method, call_params params, notify_handler done)
{
    send_notification(not_moved(driver_), std::move(method), params, std::move(done));
}

void client::start_batch(call_batch calls, call_options options, batch_handler done)
{
    send_batch(not_moved(driver_), calls, std::move(options), std::move(done));
}

void client::close()
{
    not_moved(driver_).close();
}

void client::stop()
{
    not_moved(driver_).stop(asio::error::operation_aborted);
}

session_counters client::counters() const
{
    return not_moved(driver_).counters();
}

asio::any_io_executor client::get_executor() const
{
    return not_moved(driver_).get_executor();
}

session open_session(asio::any_io_executor executor, const std::string& address, client_options options)
{
    if (parse_url(address).is_websocket())
        return websocket_client(std::move(executor), address, std::move(options));
    return partyline::detail::session_access::make(make_driver(std::move(executor), address, std::move(options)));
}

} // namespace partyline::http
