#include <partyline/session.hpp>

#include "session/calls/make_outgoing.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <stdexcept>

namespace asio = boost::asio;

namespace partyline {
namespace {

std::shared_ptr<const dispatcher> not_null(std::shared_ptr<const dispatcher> methods)
{
    if (!methods)
        throw std::invalid_argument("a session needs methods, and got a null pointer");
    return methods;
}

// A session that was moved from has none.
session_driver& not_moved(const std::shared_ptr<session_driver>& driver)
{
    if (!driver)
        throw std::logic_error("this session was moved from");
    return *driver;
}

} // namespace

void session::init(asio::any_io_executor executor, std::unique_ptr<detail::byte_stream> stream,
                   const served_methods& methods, session_options options)
{
    auto its = methods.for_session(executor, options);
    driver_ =
        std::make_shared<stream_driver>(std::move(executor), std::move(stream), std::move(its), std::move(options));
}

session& session::operator=(session&& other) noexcept
{
    session old(std::move(*this)); // stops it
    driver_ = std::move(other.driver_);
    return *this;
}

session::~session()
{
    try {
        if (driver_)
            driver_->stop(asio::error::operation_aborted);
    } catch (const std::bad_alloc&) { // it ends by itself, when its peer goes
    }
}

void session::start(std::shared_ptr<session_driver> driver, asio::any_completion_handler<void(error_code)> done)
{
    const asio::any_io_executor executor = not_moved(driver).get_executor();
    asio::dispatch(executor,
                   [driver = std::move(driver), told = completion<error_code>(std::move(done), executor)]() mutable {
                       driver->start(std::move(told));
                   });
}

served_methods session::no_methods()
{
    static const auto none = std::make_shared<const method_table>();
    return none;
}

void session::check_callable() const
{
    not_moved(driver_);
}

void session::start_call(std::string method, call_params params, call_options options, call_handler done)
{
    send_call(not_moved(driver_), std::move(method), params, std::move(options), std::move(done));
}

void session::start_notify(std::string method, call_params params, notify_handler done)
{
    send_notification(not_moved(driver_), std::move(method), params, std::move(done));
}

void session::start_batch(call_batch calls, call_options options, batch_handler done)
{
    send_batch(not_moved(driver_), calls, std::move(options), std::move(done));
}

void session::close()
{
    not_moved(driver_).close();
}

void session::stop()
{
    not_moved(driver_).stop(asio::error::operation_aborted);
}

void session::use_methods(std::shared_ptr<const dispatcher> methods)
{
    not_moved(driver_).use_methods(not_null(std::move(methods)));
}

void session::use_access(std::shared_ptr<const access_view> view)
{
    not_moved(driver_).use_access(std::move(view));
}

void session::use_quota(std::shared_ptr<request_quota> quota)
{
    not_moved(driver_).use_quota(std::move(quota));
}

void session::end_access()
{
    not_moved(driver_).end_access();
}

session_counters session::counters() const
{
    return not_moved(driver_).counters();
}

std::shared_ptr<lifecycle> session::session_lifecycle() const
{
    return not_moved(driver_).lifecycle();
}

asio::any_io_executor session::get_executor() const
{
    return not_moved(driver_).get_executor();
}

} // namespace partyline
