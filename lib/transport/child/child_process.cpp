#include <partyline/transport/child_process.hpp>

#include "transport/child/child_operations.hpp"

#include <boost/asio/compose.hpp>

#include <csignal>

namespace asio = boost::asio;

namespace partyline {

child_process::child_process(executor_type executor, std::vector<std::string> command, child_options options)
{
    started_child child = start_child(std::move(command), options);
    core_ = std::make_shared<child_core>(std::move(executor), std::move(child), std::move(options));
    core_->start();
}

error_code child_process::check(const std::vector<std::string>& command, const child_options& options)
{
    return check_file(command, options);
}

child_process& child_process::operator=(child_process&& other) noexcept
{
    child_process old(std::move(*this)); // closes it
    core_ = std::move(other.core_);
    return *this;
}

child_process::~child_process()
{
    if (core_) // not moved from
        core_->close();
}

child_process::executor_type child_process::get_executor() const noexcept
{
    return core_->get_executor();
}

void child_process::start_read(std::shared_ptr<child_core> core, asio::mutable_buffer target, transfer_handler done)
{
    const executor_type executor = core->get_executor();
    asio::async_compose<transfer_handler, void(error_code, std::size_t)>(child_read(std::move(core), target), done,
                                                                         executor);
}

void child_process::start_write(std::shared_ptr<child_core> core, asio::const_buffer source, transfer_handler done)
{
    const executor_type executor = core->get_executor();
    asio::async_compose<transfer_handler, void(error_code, std::size_t)>(child_write(std::move(core), source), done,
                                                                         executor);
}

void child_process::start_end(std::shared_ptr<child_core> core, end_handler done)
{
    const executor_type executor = core->get_executor();
    if (!core->begin_end())
        return asio::post(executor,
                          asio::append(std::move(done), make_error_code(errc::already_started), child_exit()));
    asio::async_compose<end_handler, void(error_code, child_exit)>(child_end(std::move(core)), done, executor);
}

std::size_t child_process::try_write(asio::const_buffer source, error_code& failed)
{
    return core_->write_some(source, failed);
}

void child_process::non_blocking(bool mode, error_code& failed) noexcept
{
    failed = mode ? error_code() : error_code(asio::error::operation_not_supported);
}

void child_process::close_send()
{
    core_->close_send();
}

void child_process::kill()
{
    core_->signal(SIGKILL);
}

void child_process::close()
{
    core_->close();
}

detail::end_reason child_process::why_ended() const
{
    return core_->why_ended();
}

std::shared_ptr<const child_report> child_process::report() const
{
    return core_->report();
}

} // namespace partyline
