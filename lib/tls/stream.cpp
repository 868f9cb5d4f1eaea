#include <partyline/tls/stream.hpp>

#include "tls/stream_core.hpp"

#include <boost/asio/consign.hpp>

namespace asio = boost::asio;

namespace partyline::tls {

stream::stream(executor_type executor) : core_(std::make_shared<stream_core>(std::move(executor))) {}

stream& stream::operator=(stream&& other) noexcept
{
    stream old(std::move(*this));
    core_ = std::move(other.core_);
    return *this;
}

// Operations under way hold the core: they end as those of a socket that is destroyed.
stream::~stream()
{
    if (core_)
        close();
}

stream::executor_type stream::get_executor() const noexcept
{
    return core_->channel().get_executor();
}

bool stream::is_open() const noexcept
{
    return core_->channel().is_open();
}

stream::lowest_layer_type& stream::lowest_layer() noexcept
{
    return core_->channel().lowest_layer();
}

const stream::lowest_layer_type& stream::lowest_layer() const noexcept
{
    return core_->channel().lowest_layer();
}

std::string stream::peer_subject() const
{
    const detail::secure_layer* const layer = core_->channel().layer();
    return layer ? layer->peer_subject() : std::string();
}

std::string stream::alpn() const
{
    const unsigned char* name = nullptr;
    unsigned int size = 0;
    if (const SSL* const ssl = native_handle())
        SSL_get0_alpn_selected(ssl, &name, &size);
    return std::string(reinterpret_cast<const char*>(name), size);
}

ssl_st* stream::native_handle() const noexcept
{
    return core_->native_handle();
}

std::size_t stream::read_some(asio::mutable_buffer target, error_code& failed)
{
    return core_->channel().read_some(target, failed);
}

std::size_t stream::try_write(asio::const_buffer source, error_code& failed)
{
    return core_->channel().write_some(source, failed);
}

void stream::start_read(std::shared_ptr<stream_core> core, asio::mutable_buffer target, transfer_handler done)
{
    stream_core& at = *core;
    at.channel().async_read_some(target, asio::consign(std::move(done), std::move(core)));
}

void stream::start_write(std::shared_ptr<stream_core> core, asio::const_buffer source, transfer_handler done)
{
    stream_core& at = *core;
    at.channel().async_write_some(source, asio::consign(std::move(done), std::move(core)));
}

void stream::start_wait(std::shared_ptr<stream_core> core, wait_type what, wait_handler done)
{
    stream_core& at = *core;
    at.channel().async_wait(what, asio::consign(std::move(done), std::move(core)));
}

void stream::shutdown(shutdown_type what, error_code& failed)
{
    core_->channel().shutdown(what, failed);
}

void stream::close(error_code& failed)
{
    core_->channel().close(failed);
}

void stream::close()
{
    error_code ignored;
    close(ignored);
}

} // namespace partyline::tls
