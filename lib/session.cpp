#include <partyline/session.hpp>

#include "transport/session_driver.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

namespace asio = boost::asio;

namespace partyline {

void session::init(asio::any_io_executor executor, std::unique_ptr<byte_stream> stream,
                   std::shared_ptr<const dispatcher> methods, session_options options)
{
    driver_ = std::make_shared<session_driver>(std::move(executor), std::move(stream), std::move(methods),
                                               std::move(options));
}

session& session::operator=(session&& other) noexcept
{
    session old(std::move(*this)); // stops it
    driver_ = std::move(other.driver_);
    return *this;
}

session::~session()
{
    if (driver_)
        driver_->stop(asio::error::operation_aborted);
}

void session::start(std::shared_ptr<session_driver> driver, asio::any_completion_handler<void(error_code)> done)
{
    const asio::any_io_executor executor = driver->get_executor();
    asio::dispatch(executor, [driver = std::move(driver), done = std::move(done)]() mutable {
        driver->start(std::move(done));
    });
}

void session::stop()
{
    driver_->stop(asio::error::operation_aborted);
}

void session::use_methods(std::shared_ptr<const dispatcher> methods)
{
    driver_->use_methods(std::move(methods));
}

asio::any_io_executor session::get_executor() const
{
    return driver_->get_executor();
}

} // namespace partyline
